import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import type { DocsSection } from "@/lib/contract/docs";
import { Found } from "./results";

interface Props {
  query: string;
  found: readonly (DocsSection & { terms: readonly string[] })[];
}

/** The results of a search as a page, for browsers without a script and for links to a search. */
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
          aria-label="Words to search for"
          className="h-9 w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-sm pointer-coarse:text-base"
        />
        <button type="submit" className={buttonClass()}>
          Search
        </button>
      </form>
      {query !== "" && (
        <p className="text-sm text-muted">
          {found.length === 0
            ? "Nothing was found. Try fewer or other words."
            : `${found.length === 1 ? "1 result" : `${found.length} results`} for “${query}”`}
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
              <Found section={section} words={section.terms} />
            </Link>
          </li>
        ))}
      </ol>
    </div>
  );
}
