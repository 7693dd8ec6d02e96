"use client";

import { usePathname } from "next/navigation";
import type { MouseEvent } from "react";
import { Link } from "@/components/ui/link";
import type { DocsGroup } from "@/lib/contract/docs";
import { FOLD, ITEM, SIDE_LIST } from "./contents";

/** The list of all pages: beside the text, and folded above it on a phone. */
export function DocsNav({ groups }: { groups: readonly DocsGroup[] }) {
  const current = usePathname().replace(/(?<=.)\/$/, "");
  return (
    <>
      <div className="max-lg:hidden">
        <nav aria-label="Documentation" className={`${SIDE_LIST} -ml-2.5`}>
          <Groups groups={groups} current={current} />
        </nav>
      </div>
      <nav aria-label="All pages" className="mt-6 lg:hidden">
        <details className={FOLD}>
          <summary className="font-medium">All pages</summary>
          <div className="-mx-2 pt-3">
            <Groups groups={groups} current={current} />
          </div>
        </details>
      </nav>
    </>
  );
}

function Groups({ groups, current }: { groups: readonly DocsGroup[]; current: string }) {
  return (
    <div className="grid gap-5">
      {groups.map(({ name, pages }) => (
        <div key={name} className="grid gap-0.5">
          <p className="px-2.5 pb-1 text-xs font-medium text-muted">{name}</p>
          {pages.map(({ href, name: title }) => (
            <Link
              key={href}
              href={href}
              className={ITEM}
              aria-current={href === current ? "page" : undefined}
              onClick={fold}
            >
              {title}
            </Link>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Folds the list on a phone after a plain click. Focuses the summary, because a hidden link loses the focus. */
function fold({ currentTarget, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): void {
  if (metaKey || ctrlKey || shiftKey || altKey) return;
  const list = currentTarget.closest("details");
  list?.removeAttribute("open");
  list?.querySelector("summary")?.focus();
}
