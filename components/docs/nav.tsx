"use client";

import { usePathname } from "next/navigation";
import { Link } from "@/components/ui/link";
import type { DocsGroup, DocsLink } from "@/lib/contract/docs";
import { FOLD, ITEM, SIDE_LIST } from "./contents";

interface Props {
  groups: readonly DocsGroup[];
}

/** The list of all pages: beside the text, and folded above it on a phone. */
export function DocsNav({ groups }: Props) {
  const current = usePathname().replace(/(?<=.)\/$/, "");
  return (
    <>
      <div className="max-lg:hidden">
        <nav aria-label="Documentation" className={`${SIDE_LIST} -ml-2.5`}>
          <Groups groups={groups} current={current} />
        </nav>
      </div>
      <nav aria-label="All pages" className="mt-6 lg:hidden">
        {/* The key closes the list when a page of it is opened. */}
        <details key={current} className={FOLD}>
          <summary className="font-medium">All pages</summary>
          <div className="-mx-2 pt-3">
            <Groups groups={groups} current={current} />
          </div>
        </details>
      </nav>
    </>
  );
}

function Groups({ groups, current }: Props & { current: string }) {
  return (
    <div className="grid gap-5">
      {groups.map(({ name, pages }) => (
        <div key={name} className="grid gap-0.5">
          <p className="px-2.5 pb-1 text-xs font-medium text-muted">{name}</p>
          {pages.map((page) => (
            <Item key={page.href} page={page} current={current} />
          ))}
        </div>
      ))}
    </div>
  );
}

function Item({ page: { href, name }, current }: { page: DocsLink; current: string }) {
  return (
    <Link href={href} className={ITEM} aria-current={href === current ? "page" : undefined}>
      {name}
    </Link>
  );
}
