import type { ReactNode } from "react";
import { SiteHeader } from "@/components/site/header-footer";
import type { DocsGroup, Heading } from "@/lib/contract/docs";
import { Contents, DocsNav } from "./nav";
import { DocsSearch } from "./search";

interface Props {
  groups: readonly DocsGroup[];
  current: string;
  headings?: readonly Heading[];
  children: ReactNode;
}

const FOLD = "rounded-lg border border-line bg-surface px-3.5 py-2.5 text-sm";
const SIDE = "sticky top-14 max-h-[calc(100dvh-3.5rem)] overflow-y-auto py-8";

/** The frame of a documentation page. On a phone, its two lists fold above the text. */
export function DocsFrame({ groups, current, headings = [], children }: Props) {
  const sections = headings.filter(({ depth }) => depth === 2 || depth === 3);
  return (
    <>
      <SiteHeader wide>
        <DocsSearch />
      </SiteHeader>
      <div className="mx-auto grid max-w-7xl grid-cols-1 px-5 sm:px-8 lg:grid-cols-[13.5rem_minmax(0,1fr)] lg:gap-10 xl:grid-cols-[13.5rem_minmax(0,1fr)_13.5rem]">
        <div className="max-lg:hidden">
          <div className={`${SIDE} -ml-2.5`}>
            <DocsNav groups={groups} current={current} label="Documentation" />
          </div>
        </div>
        <main className="min-w-0 pt-6 pb-20 lg:pt-8">
          <div className="mb-6 grid gap-2 lg:hidden">
            <details className={FOLD}>
              <summary className="font-medium">All pages</summary>
              <div className="-mx-2 pt-3">
                <DocsNav groups={groups} current={current} label="All pages" />
              </div>
            </details>
            {sections.length > 1 && (
              <details className={FOLD}>
                <summary className="font-medium">On this page</summary>
                <div className="-mx-2 pt-2">
                  <Contents headings={sections} label="Sections of this page" />
                </div>
              </details>
            )}
          </div>
          {children}
        </main>
        <div className="max-xl:hidden">
          {sections.length > 1 && (
            <div className={SIDE}>
              <Contents headings={sections} label="On this page" titled />
            </div>
          )}
        </div>
      </div>
    </>
  );
}
