import { Command } from "cmdk";
import { FileUp, KeyRound, type LucideIcon, Megaphone, Plug, SunMoon, UserRound } from "lucide-react";
import type { ReactNode } from "react";
import { toggleTheme } from "@/components/ui/theme-toggle";
import { type EndUserMatch, matchPath } from "@/lib/contract/referrer-list";
import { APP_PAGES, appPath, workspacePath } from "./navigation";
import type { Places } from "./switcher";

const ACTIONS = [
  { path: "/campaigns/new", name: "Create campaign", icon: Megaphone },
  { path: "/codes/import", name: "Import codes", icon: FileUp },
  { path: "/keys", name: "Create API key", icon: KeyRound },
  { path: "/providers", name: "Connect provider", icon: Plug },
];

type Go = (href: string) => void;

interface EndUserProps {
  appId: string;
  text: string;
  found: readonly EndUserMatch[];
  go: Go;
}

/** The value of an end user in the list. It contains the text, because the search has already matched it. */
export function endUserValue(text: string, { kind, id }: Pick<EndUserMatch, "kind" | "id">): string {
  return `${text.trim()} ${kind} ${id}`;
}

/** The end users found, each with a link to their page. */
export function EndUserItems({ appId, text, found, go }: EndUserProps) {
  return (
    <Group heading="End users">
      {found.map(({ section, id, kind, title, note }) => (
        <Item
          key={`${kind} ${id}`}
          icon={UserRound}
          value={endUserValue(text, { kind, id })}
          note={note}
          onSelect={() => go(appPath(appId) + matchPath({ section, id }))}
        >
          {title} <span className="text-muted">{kind}</span>
        </Item>
      ))}
    </Group>
  );
}

/** The pages of the current app, and frequent actions. */
export function AppItems({ appId, go }: { appId: string; go: Go }) {
  const base = appPath(appId);
  return (
    <>
      <Group heading="Go to">
        {APP_PAGES.flatMap(({ pages }) => pages).map(({ path, name, icon }) => (
          <Item key={path} icon={icon} value={`go ${name}`} onSelect={() => go(base + path)}>
            {name}
          </Item>
        ))}
      </Group>
      <Group heading="Actions">
        {ACTIONS.map(({ path, name, icon }) => (
          <Item key={name} icon={icon} value={name} onSelect={() => go(base + path)}>
            {name}
          </Item>
        ))}
      </Group>
    </>
  );
}

/** The other apps, the workspaces, the account and the theme. */
export function PlaceItems({ places, go }: { places: Places; go: Go }) {
  return (
    <>
      <Group heading="Apps">
        {places.apps.map(({ id, name, sandbox }) => (
          <Item
            key={id}
            value={`${name} ${id}`}
            note={sandbox ? "Sandbox" : ""}
            onSelect={() => go(appPath(id))}
          >
            {name}
          </Item>
        ))}
      </Group>
      <Group heading="More">
        {places.workspaces.map(({ id, name }) => (
          <Item key={id} value={`${name} team ${id}`} onSelect={() => go(workspacePath(id))}>
            {name}: team
          </Item>
        ))}
        <Item value="account security" onSelect={() => go("/dashboard/account")}>
          Account and security
        </Item>
        <Item icon={SunMoon} value="theme light dark" onSelect={toggleTheme}>
          Switch between light and dark
        </Item>
      </Group>
    </>
  );
}

/** Items under a heading. */
function Group({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  );
}

interface ItemProps {
  icon?: LucideIcon;
  value: string;
  note?: string;
  onSelect: () => void;
  children: ReactNode;
}

/** An item that is found by its `value`. */
function Item({ icon: Icon, value, note, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      onSelect={onSelect}
      className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm data-[selected=true]:bg-subtle"
    >
      {Icon && <Icon className="size-4 shrink-0 text-muted" aria-hidden />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {note && <span className="truncate text-[13px] text-muted">{note}</span>}
    </Command.Item>
  );
}
