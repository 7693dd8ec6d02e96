import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import type { DocsSection } from "@/lib/contract/docs";
import { formatCount } from "@/lib/contract/format";
import { SearchResult } from "./search-result";

interface Props {
  query: string;
  found: readonly (DocsSection & { terms: readonly string[] })[];
}

/** The results of a search as a page, for browsers without scripts and for links to a search. */
export function ResultPage({ query, found }: Props) {
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-1 gap-6">
      <h1 className="text-3xl font-semibold tracking-tight">Search</h1>
      <form action="/docs/search" className="flex gap-2">
        <input
          name="q"
          type="search"
          defaultValue={query}
          maxLength={200}
          aria-label="Search terms"
          className="h-9 w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-sm pointer-coarse:text-base"
        />
        <button type="submit" className={buttonClass()}>
          Search
        </button>
      </form>
      {query !== "" && (
        <p className="text-sm text-muted">
          {found.length === 0
            ? "No results. Try fewer or different words."
            : `${formatCount(found.length, "result")} for “${query}”`}
        </p>
      )}
      <ol className="grid gap-2">
        {found.map((section) => (
          <li key={section.id}>
            <Link
              href={section.href}
              prefetch={false}
              className="grid gap-0.5 rounded-lg border border-line bg-surface px-4 py-3 hover:bg-subtle"
            >
              <SearchResult section={section} terms={section.terms} />
            </Link>
          </li>
        ))}
      </ol>
    </div>
  );
}
