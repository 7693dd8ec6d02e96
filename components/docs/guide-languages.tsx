"use client";

import { useRouter } from "next/navigation";
import type { MouseEvent } from "react";
import { Link } from "@/components/ui/link";
import type { DocsLink } from "@/lib/contract/docs";

/** The id of the last heading above the middle of the window. */
function sectionInView(): string | undefined {
  const headings = [...document.querySelectorAll("article h2[id]")];
  return headings.findLast((heading) => heading.getBoundingClientRect().top < innerHeight / 2)?.id;
}

/** Links to the same guide for other clients. The guides share their headings, so a click keeps the section in view. */
export function GuideLanguages({ pages, current }: { pages: readonly DocsLink[]; current: string }) {
  const router = useRouter();
  const followInSection = (event: MouseEvent, href: string) => {
    const section = sectionInView();
    if (!section || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.push(`${href}#${section}`);
  };
  return (
    <nav
      aria-label="Language"
      className="sticky top-14 z-10 flex gap-1 overflow-x-auto border-b border-line bg-page lg:pt-2"
    >
      {pages.map(({ href, name }) => (
        <Link
          key={href}
          href={href}
          onClick={(event) => followInSection(event, href)}
          aria-current={href === current ? "page" : undefined}
          className="-mb-px rounded-t-md border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-muted hover:text-ink aria-[current]:border-ink aria-[current]:font-medium aria-[current]:text-ink"
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
