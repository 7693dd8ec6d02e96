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
  fitOf,
  generalDestinations,
  workspaceDestinations,
} from "./destinations";
import { appPath } from "./navigation";
import { Keys } from "./shortcuts";
import { type Places, roleInApp } from "./switcher";

type Go = (href: string) => void;

/** The value of a match, unique through its id. */
export const matchValue = ({ kind, title, id }: AppMatch): string => `found ${kind} ${title} ${id}`;

const MATCH_ICONS: Partial<Record<AppMatch["kind"], LucideIcon>> = {
  campaign: Megaphone,
  provider: Plug,
  request: Activity,
  event: Plug,
};

/** The matching rows of the app, each with a link to its page. */
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

/** A page to open, or a command. */
type Entry = Omit<Destination, "href"> & { value: string; onSelect: () => void };

interface Entries {
  heading: string;
  /** How well the best of them fits. */
  best: number;
  entries: readonly Entry[];
}

interface PlaceProps {
  places: Places;
  appId: string | undefined;
  /** Whether the app is on the screen; only there do the keys of its pages work. */
  inApp: boolean;
  /** The workspace on the screen. */
  workspaceId: string | undefined;
  onShortcuts: () => void;
  onSignOut: () => void;
  go: Go;
}

/** The pages and actions of the app, the other apps, the workspaces, the account, and the commands for this browser. */
function allEntries({
  places,
  appId,
  inApp,
  workspaceId,
  onShortcuts,
  onSignOut,
  go,
}: PlaceProps): Entries[] {
  const opened = ({ href, ...place }: Destination): Entry => ({
    ...place,
    value: `${place.name} ${href}`,
    onSelect: () => go(href),
  });
  const app = places.apps.find(({ id }) => id === appId);
  const ofApp = appId
    ? appDestinations(appId, roleInApp(places, appId), app?.sandbox)
    : { pages: [], actions: [] };
  const apps = places.apps.map(({ id, name, sandbox }) => ({
    name,
    href: appPath(id),
    ...(sandbox && { note: "Sandbox" }),
  }));
  const command = (entry: Omit<Entry, "value">): Entry => ({ ...entry, value: entry.name });
  const browser = [
    command({
      name: "Switch between light and dark",
      icon: SunMoon,
      keywords: "theme mode appearance colours",
      onSelect: toggleTheme,
    }),
    command({
      name: "Keyboard shortcuts",
      icon: Keyboard,
      keywords: "keys help",
      keys: "?",
      onSelect: onShortcuts,
    }),
    command({
      name: places.demo ? "Leave the demo" : "Sign out",
      icon: LogOut,
      keywords: "sign log out leave logout",
      onSelect: onSignOut,
    }),
  ];
  const groups = [
    {
      heading: `Pages of ${app?.name}`,
      entries: ofApp.pages.map(inApp ? opened : ({ keys: _, ...page }) => opened(page)),
    },
    { heading: `Actions in ${app?.name}`, entries: ofApp.actions.map(opened) },
    { heading: "Apps", entries: apps.map(opened) },
    { heading: "Workspace", entries: workspaceDestinations(places, workspaceId).map(opened) },
    { heading: "More", entries: generalDestinations(places).map(opened) },
    { heading: "This browser", entries: browser },
  ];
  return groups.map((group) => ({ ...group, best: 1 }));
}

/** The pages and commands that fit a text, the best group and its best entry first; without a text, all of them. */
export function fittingEntries(props: PlaceProps, text: string): Entries[] {
  const all = allEntries(props).filter(({ entries }) => entries.length > 0);
  if (text.trim() === "") return all;
  return all
    .map(({ heading, entries }) => {
      const rated = entries.map((entry) => ({ entry, fit: fitOf(entry.name, text, entry.keywords) }));
      const fitting = rated.filter(({ fit }) => fit > 0).toSorted((a, b) => b.fit - a.fit);
      return { heading, best: fitting[0]?.fit ?? 0, entries: fitting.map(({ entry }) => entry) };
    })
    .filter(({ best }) => best > 0)
    .toSorted((a, b) => b.best - a.best);
}

/** Pages and commands under their headings. */
export function EntryItems({ groups }: { groups: readonly Entries[] }) {
  return groups.map(({ heading, entries }) => (
    <Group key={heading} heading={heading}>
      {entries.map(({ name, keywords: _, ...entry }) => (
        <Item key={entry.value} {...entry}>
          {name}
        </Item>
      ))}
    </Group>
  ));
}

/** The value of a document. */
export const docsValue = ({ section }: DocsHit): string => `found docs ${section.href}`;

/** The best documents, in the order of their own search. */
export function DocsItems({ hits, go }: { hits: readonly DocsHit[]; go: Go }) {
  if (hits.length === 0) return null;
  return (
    <Group heading="Documentation">
      {hits.slice(0, 5).map((hit) => {
        const { id, heading, page, href } = hit.section;
        return (
          <Item key={id} icon={BookOpen} value={docsValue(hit)} onSelect={() => go(href)}>
            {heading} {heading !== page && <span className="text-muted">{page}</span>}
          </Item>
        );
      })}
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

interface ItemProps extends Pick<Entry, "icon" | "note" | "keys" | "value" | "onSelect"> {
  children: ReactNode;
}

function Item({ icon: Icon, value, note, keys, onSelect, children }: ItemProps) {
  return (
    <Command.Item
      value={value}
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
