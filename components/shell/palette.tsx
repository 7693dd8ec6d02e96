"use client";

import { Command } from "cmdk";
import { FileUp, KeyRound, type LucideIcon, Megaphone, Plug, SunMoon, UserRound } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { toggleTheme } from "@/components/ui/theme-toggle";
import type { FindPeople } from "./people";
import { appOfPath, appPath, ROOMS } from "./rooms";
import type { Places } from "./switcher";
import { usePeople } from "./use-people";

const ACTIONS = [
  { path: "/campaigns/new", name: "Create a campaign", icon: Megaphone },
  { path: "/codes/import", name: "Import codes", icon: FileUp },
  { path: "/keys", name: "Create an API key", icon: KeyRound },
  { path: "/providers", name: "Connect a provider", icon: Plug },
];

interface Props {
  places: Places;
  find: FindPeople;
  onClose: () => void;
}

/** Goes anywhere and finds anybody by typing. */
export function Palette({ places, find, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const router = useRouter();
  const appId = appOfPath(usePathname());
  const [text, setText] = useState("");
  const people = usePeople(find, appId, text);
  useEffect(() => dialog.current?.showModal(), []);
  const go = (href: string) => {
    onClose();
    router.push(href);
  };
  return (
    <dialog
      ref={dialog}
      aria-label="Search and commands"
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
      onKeyDown={(event) => event.stopPropagation()}
      className="mx-auto mt-[12dvh] w-[min(36rem,calc(100vw-2rem))] rounded-xl border border-line bg-raised p-0 text-ink shadow-2xl"
    >
      <Command label="Search and commands" loop className="grid">
        <Command.Input
          autoFocus
          value={text}
          onValueChange={setText}
          placeholder={appId ? "A uid, a metacode, a name, or where to go" : "Where to?"}
          className="h-12 border-b border-line bg-transparent px-4 text-[15px] outline-none placeholder:text-muted"
        />
        <Command.List className="max-h-[min(24rem,60dvh)] overflow-y-auto p-2">
          <Command.Empty className="px-3 py-8 text-center text-sm text-muted">
            {people.pending ? "Looking…" : "Nothing found"}
          </Command.Empty>
          {people.found.length > 0 && (
            <Group heading="People">
              {people.found.map(({ room, id, kind, title, note }) => (
                // The text is part of the value, because the search has matched it already.
                <Item
                  key={`${kind} ${id}`}
                  icon={UserRound}
                  value={`${text} ${kind} ${id}`}
                  note={note}
                  onSelect={() => go(`${appPath(appId ?? "")}/${room}/${id}`)}
                >
                  {title} <span className="text-muted">{kind}</span>
                </Item>
              ))}
            </Group>
          )}
          {appId && <AppItems appId={appId} go={go} />}
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
          <Group heading="Elsewhere">
            {places.workspaces.map(({ id, name }) => (
              <Item key={id} value={`${name} team ${id}`} onSelect={() => go(`/dashboard/workspaces/${id}`)}>
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
        </Command.List>
      </Command>
    </dialog>
  );
}

function AppItems({ appId, go }: { appId: string; go: (href: string) => void }) {
  const base = appPath(appId);
  return (
    <>
      <Group heading="Go to">
        {ROOMS.flatMap(({ rooms }) => rooms).map(({ path, name, icon }) => (
          <Item key={path} icon={icon} value={`go ${name}`} onSelect={() => go(base + path)}>
            {name}
          </Item>
        ))}
      </Group>
      <Group heading="Do">
        {ACTIONS.map(({ path, name, icon }) => (
          <Item key={name} icon={icon} value={name} onSelect={() => go(base + path)}>
            {name}
          </Item>
        ))}
      </Group>
    </>
  );
}

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
