// The browser builds both lists of sections, so that the page's data contains the sections only once.
"use client";

import type { ReactNode } from "react";
import type { Heading } from "@/lib/contract/docs";

export const FOLD = "rounded-lg border border-line bg-surface px-3.5 py-2.5 text-sm";
export const SIDE_LIST = "sticky top-14 max-h-[calc(100dvh-3.5rem)] overflow-y-auto py-8";
export const ITEM =
  "flex min-h-8 items-center rounded-md px-2.5 py-1 text-sm text-muted hover:bg-subtle hover:text-ink aria-[current]:bg-subtle aria-[current]:font-medium aria-[current]:text-ink pointer-coarse:min-h-10";

interface Props {
  headings: readonly Heading[];
  children?: ReactNode;
}

/** The text of a page, and its sections beside it. On a phone they fold above the text. */
export function DocsText({ headings = [], children }: Partial<Props>) {
  const sections = headings.filter(({ depth }) => depth === 2 || depth === 3);
  const listed = sections.length > 1;
  return (
    <>
      <main className="min-w-0 pt-2 pb-20 lg:pt-8">
        {listed && (
          <details className={`${FOLD} lg:hidden`}>
            <summary className="font-medium">On this page</summary>
            <div className="-mx-2 pt-2">
              <Contents headings={sections} label="Sections of this page" />
            </div>
          </details>
        )}
        <div className={listed ? "max-lg:mt-6" : "max-lg:mt-4"}>{children}</div>
      </main>
      <div className="max-xl:hidden">
        {listed && (
          <div className={SIDE_LIST}>
            <Contents headings={sections} label="On this page">
              <p className="px-2.5 pb-1 text-xs font-medium text-muted">On this page</p>
            </Contents>
          </div>
        )}
      </div>
    </>
  );
}

function Contents({ headings, label, children }: Props & { label: string }) {
  return (
    <nav aria-label={label} className="grid gap-0.5">
      {children}
      {headings.map(({ id, text, depth }) => (
        <a key={id} href={`#${id}`} className={`${ITEM} ${depth > 2 ? "pl-6" : ""}`}>
          {text}
        </a>
      ))}
    </nav>
  );
}
