import { Command } from "cmdk";
import {
  Activity,
  BookOpen,
  Keyboard,
  LogOut,
  type LucideIcon,
  Megaphone,
  Plug,
  SunMoon,
  UserRound,
} from "lucide-react";
import type { ReactNode } from "react";
import { toggleTheme } from "@/components/ui/theme-toggle";
import type { DocsHit } from "@/lib/contract/docs-search";
import { type AppMatch, matchPath } from "@/lib/contract/referrer-list";
import {
  appDestinations,
  type Destination,
  generalDestinations,
  workspaceDestinations,
} from "./destinations";
import { appPath } from "./navigation";
import { Keys } from "./shortcuts";
import type { Places } from "./switcher";

type Go = (href: string) => void;

/** Begins the value of an item that a search has matched already. */
const FOUND = "found ";

/** Whether an item is a match of the search and not a destination. */
export const isFound = (value: string): boolean => value.startsWith(FOUND);

/** The name in the value of a destination, before its address. */
export const nameOf = (value: string): string => value.split(" /", 1)[0] ?? "";

/** The value of a match: marked, and unique through its id. */
export const matchValue = ({ kind, title, id }: AppMatch): string => `${FOUND}${kind} ${title} ${id}`;

const MATCH_ICONS: Partial<Record<AppMatch["kind"], LucideIcon>> = {
  campaign: Megaphone,
  provider: Plug,
  request: Activity,
};

/** The rows of the app that were found, each with a link to its page. */
export function MatchItems({ appId, found, go }: { appId: string; found: readonly AppMatch[]; go: Go }) {
  return (
    <Group heading="In this app">
      {found.map((match) => (
        <Item
          key={matchValue(match)}
          icon={MATCH_ICONS[match.kind] ?? UserRound}
          value={matchValue(match)}
          note={match.note}
          onSelect={() => go(appPath(appId) + matchPath(match))}
        >
          {match.title} <span className="text-muted">{match.kind}</span>
        </Item>
      ))}
    </Group>
  );
}

/** The pages of the current app, and frequent actions. */
export function AppItems({ appId, go }: { appId: string; go: Go }) {
  const { pages, actions } = appDestinations(appId);
  return (
    <>
      <Destinations heading="Go to" all={pages} go={go} />
      <Destinations heading="Actions" all={actions} go={go} />
    </>
  );
}

interface PlaceProps {
  places: Places;
  /** The workspace on the screen. */
  workspaceId: string | undefined;
  onShortcuts: () => void;
  onSignOut: () => void;
  go: Go;
}

/** The other apps, the workspaces, the account, and what concerns this browser. */
export function PlaceItems({ places, workspaceId, onShortcuts, onSignOut, go }: PlaceProps) {
  const apps = places.apps.map(({ id, name, sandbox }) => ({
    ...{ name, href: appPath(id) },
    ...(sandbox && { note: "Sandbox" }),
  }));
  return (
    <>
      <Destinations heading="Apps" all={apps} go={go} />
      <Destinations heading="Workspace" all={workspaceDestinations(places, workspaceId)} go={go} />
      <Destinations heading="More" all={generalDestinations(places)} go={go} />
      <Group heading="This browser">
        <Item
          icon={SunMoon}
          value="Switch between light and dark"
          keywords="theme mode appearance colours"
          onSelect={toggleTheme}
        >
          Switch between light and dark
        </Item>
        <Item icon={Keyboard} value="Keyboard shortcuts" keywords="keys help" keys="?" onSelect={onShortcuts}>
          Keyboard shortcuts
        </Item>
        <Item icon={LogOut} value="Sign out" keywords="log out leave logout" onSelect={onSignOut}>
          {places.demo ? "Leave the demo" : "Sign out"}
        </Item>
      </Group>
    </>
  );
}

/** The best documents, each page once. */
export function DocsItems({ hits, go }: { hits: readonly DocsHit[]; go: Go }) {
  return (
    <Group heading="Documentation">
      {hits.slice(0, 5).map(({ section: { id, heading, page, href } }) => (
        <Item key={id} icon={BookOpen} value={`${FOUND}docs ${href}`} onSelect={() => go(href)}>
          {heading} {heading !== page && <span className="text-muted">{page}</span>}
        </Item>
      ))}
    </Group>
  );
}

function Destinations({ heading, all, go }: { heading: string; all: readonly Destination[]; go: Go }) {
  return (
    <Group heading={heading}>
      {all.map(({ name, href, ...item }) => (
        <Item key={`${name} ${href}`} {...item} value={`${name} ${href}`} onSelect={() => go(href)}>
          {name}
        </Item>
      ))}
    </Group>
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

interface ItemProps extends Pick<Destination, "icon" | "note" | "keywords" | "keys"> {
  value: string;
  onSelect: () => void;
  children: ReactNode;
}

/** An item that is found by its `value` and its keywords. */
function Item({ icon: Icon, value, note, keywords, keys, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
      keywords={keywords?.split(" ") ?? []}
      onSelect={onSelect}
      className="flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm data-[selected=true]:bg-subtle pointer-coarse:min-h-11"
    >
      {Icon && <Icon className="size-4 shrink-0 text-muted" aria-hidden />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {note && <span className="max-w-[45%] truncate text-note text-muted">{note}</span>}
      {keys && <Keys keys={keys} />}
    </Command.Item>
  );
}
