import type { LucideIcon } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { mayAct, type Role } from "@/lib/contract/workspace";
import { Link, NextStep } from "./link";

interface Props {
  icon: LucideIcon;
  title: string;
  children: ReactNode;
  /** The next step; for readers whose role may not begin, a link to another page. */
  action: ReactElement;
}

/** Replaces an empty list: explains its purpose and how to begin. */
export function EmptyState({ icon: Icon, title, children, action }: Props) {
  return (
    <div className="grid justify-items-center gap-4 rounded-xl border border-dashed border-line-strong/50 px-6 py-14 text-center">
      <span className="grid size-11 place-items-center rounded-full bg-subtle">
        <Icon className="size-5 text-muted" aria-hidden />
      </span>
      <div className="grid max-w-sm gap-1">
        <h2 className="text-sm font-semibold">{title}</h2>
        <p className="text-sm text-balance text-muted">{children}</p>
      </div>
      {action}
    </div>
  );
}

/** The next step of a reader whose role may not begin: the page of the team. */
export function TeamStep({ of: { id } }: { of: { id: string } }) {
  return <NextStep href={`/dashboard/workspaces/${id}`}>Open the team</NextStep>;
}

interface ColleaguesProps {
  of: { id: string };
  role: Role;
  /** The lowest role that may. */
  needs: "support" | "member" | "admin" | "owner";
  may: string;
}

/** Says which colleagues may do it, if the reader's role may not. */
export function Colleagues({ of: { id }, role, needs, may }: ColleaguesProps) {
  if (mayAct(role, needs)) return null;
  const colleague = { support: "A support agent", member: "A member", admin: "An admin", owner: "An owner" };
  return (
    <p className="text-sm text-muted">
      {colleague[needs]} can {may}.{" "}
      <Link href={`/dashboard/workspaces/${id}`} className="underline underline-offset-2">
        Open the team
      </Link>
    </p>
  );
}

interface NoRowsProps {
  icon: LucideIcon;
  /** The singular noun for a row. */
  thing: string;
  /** The path of the list without filters. */
  path: string;
  filtered: boolean;
  /** Whether rows that were not searched may match. */
  more: boolean;
  /** A suggestion when no row matches the filters. */
  hint: string;
  /** The action that creates the first row. */
  begin: { href: string; name: string };
  /** Explains when the first row appears. */
  children: ReactNode;
}

/** Replaces the rows of a filtered list if none matches or none exists yet. */
export function NoRows({ icon, thing, path, filtered, more, hint, begin, children }: NoRowsProps) {
  const [href, name] = filtered ? [path, `Show all ${thing}s`] : [begin.href, begin.name];
  const advice = more ? "None of the rows searched so far matches." : hint;
  return (
    <EmptyState
      icon={icon}
      title={filtered ? `No matching ${thing}s` : `No ${thing}s yet`}
      action={<NextStep href={href}>{name}</NextStep>}
    >
      {filtered ? advice : children}
    </EmptyState>
  );
}

interface EmptyListsProps {
  /** Each list with a description of the searched rows, if not all were searched. */
  lists: readonly { title: string; searched: string | undefined }[];
}

/** Names the lists of a page that have no rows, and separately the lists of which only a part was searched. */
export function EmptyLists({ lists }: EmptyListsProps) {
  const empty = lists.filter(({ searched }) => !searched).map(({ title }) => title);
  const unsure = lists.flatMap(({ title, searched }) => (searched ? `${title}: none ${searched}` : []));
  const lines = [...(empty.length > 0 ? [`No entries: ${empty.join(" · ")}`] : []), ...unsure];
  return lines.map((line) => (
    <p key={line} className="text-sm text-muted">
      {line}
    </p>
  ));
}

interface PartialHintProps {
  /** A description of the listed rows; undefined if all are listed. */
  listed: string | undefined;
  /** Pages with all rows. */
  pages: readonly { href: string; name: string }[];
}

/** Says above a list which part of the rows it has. */
export function PartialHint({ listed, pages }: PartialHintProps) {
  if (!listed) return null;
  const links = pages.map(({ href, name }) => (
    <Link key={href} href={href} className="ml-2 underline hover:text-ink">
      {name}
    </Link>
  ));
  return (
    <p className="text-note text-muted">
      Only {listed}.{links}
    </p>
  );
}
