import { FileUp, KeyRound, Megaphone, Plug, SunMoon, UserRound } from "lucide-react";
import { toggleTheme } from "@/components/ui/theme-toggle";
import type { Found } from "@/lib/contract/found";
import { Group, Item } from "./palette-parts";
import { appPath, ROOMS } from "./rooms";
import type { Places } from "./switcher";

const ACTIONS = [
  { path: "/campaigns/new", name: "Create a campaign", icon: Megaphone },
  { path: "/codes/import", name: "Import codes", icon: FileUp },
  { path: "/keys", name: "Create an API key", icon: KeyRound },
  { path: "/providers", name: "Connect a provider", icon: Plug },
];

type Go = (href: string) => void;

interface PeopleProps {
  appId: string;
  text: string;
  found: readonly Found[];
  go: Go;
}

/** By what the list knows a person. The text is part of it, because the search has matched it already. */
export function personValue(text: string, { kind, id }: Pick<Found, "kind" | "id">): string {
  return `${text.trim()} ${kind} ${id}`;
}

/** The people that were found, each to their page. */
export function PeopleItems({ appId, text, found, go }: PeopleProps) {
  return (
    <Group heading="People">
      {found.map(({ room, id, kind, title, note }) => (
        <Item
          key={`${kind} ${id}`}
          icon={UserRound}
          value={personValue(text, { kind, id })}
          note={note}
          onSelect={() => go(`${appPath(appId)}/${room}/${id}`)}
        >
          {title} <span className="text-muted">{kind}</span>
        </Item>
      ))}
    </Group>
  );
}

/** The rooms of the app at hand, and what is often done there. */
export function AppItems({ appId, go }: { appId: string; go: Go }) {
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

/** The other apps, and what belongs to no app. */
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
    </>
  );
}
