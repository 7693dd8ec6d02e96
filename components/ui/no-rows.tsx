import type { LucideIcon } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { buttonClass } from "./button";
import { EmptyState } from "./empty-state";

interface Props {
  icon: LucideIcon;
  /** What the list has, in the singular. */
  thing: string;
  /** Path of the list without filters. */
  path: string;
  filtered: boolean;
  /** Whether rows that were not looked at may match. */
  more: boolean;
  /** What to try where no row fits the filters. */
  hint: string;
  /** Where to go while there is nothing at all. */
  begin: { href: string; name: string };
  /** When the first row appears. */
  children: ReactNode;
}

/** What stands in place of a filtered list's rows: no row fits, or there is none yet. */
export function NoRows({ icon, thing, path, filtered, more, hint, begin, children }: Props) {
  const [href, name] = filtered ? [path, `Show all ${thing}s`] : [begin.href, begin.name];
  const action = (
    <Link href={href} className={buttonClass({ variant: "secondary" })}>
      {name}
    </Link>
  );
  const told = more ? "None of those looked at so far." : hint;
  return (
    <EmptyState icon={icon} title={filtered ? `No ${thing} fits` : `No ${thing}s yet`} action={action}>
      {filtered ? told : children}
    </EmptyState>
  );
}
