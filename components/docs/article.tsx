import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import type { DocsLink, DocsPage } from "@/lib/contract/docs";
import { Blocks } from "./blocks";
import { GuideLanguages } from "./guide-languages";
import { PageActions } from "./page-actions";

interface Props {
  page: DocsPage;
  /** Content below the samples of a request. */
  children?: ReactNode;
}

/** A page: its title, its text, and links to its neighbours. */
export function Article({ page, children }: Props) {
  const cut = page.blocks.findIndex(({ kind }) => kind === "samples") + 1;
  return (
    <article
      data-tabs={page.siblings.length > 0 || undefined}
      className="mx-auto grid max-w-3xl grid-cols-1 gap-5 text-lead leading-relaxed"
    >
      <header className="grid gap-1.5">
        <p className="text-sm text-muted">{page.group}</p>
        <h1 className="text-3xl font-semibold tracking-tight text-balance sm:text-4xl">{page.title}</h1>
        <PageActions markdown={page.markdown} edit={page.edit} />
      </header>
      {page.siblings.length > 0 && <GuideLanguages pages={page.siblings} current={page.href} />}
      <Blocks of={page.blocks.slice(0, cut)} />
      {children}
      <Blocks of={page.blocks.slice(cut)} />
      <nav
        aria-label="Previous and next page"
        className="mt-8 grid gap-3 border-t border-line pt-6 sm:grid-cols-2"
      >
        {page.previous && <Neighbour link={page.previous} direction="Previous" />}
        {page.next && <Neighbour link={page.next} direction="Next" />}
      </nav>
    </article>
  );
}

function Neighbour({ link, direction }: { link: DocsLink; direction: "Previous" | "Next" }) {
  return (
    <Link
      href={link.href}
      className={`grid gap-0.5 rounded-lg border border-line bg-surface px-4 py-3 hover:bg-subtle ${direction === "Next" ? "sm:col-start-2 sm:text-right" : ""}`}
    >
      <span className="text-xs text-muted">{direction}</span>
      <span className="font-medium">{link.name}</span>
    </Link>
  );
}
