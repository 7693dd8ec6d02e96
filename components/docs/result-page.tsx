import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import type { DocsHit } from "@/lib/contract/docs-search";
import { formatCount } from "@/lib/contract/format";
import { SearchResult } from "./search-result";

interface Props {
  query: string;
  decisions: boolean;
  found: readonly DocsHit[];
}

/** The results of a search as a page, for browsers without scripts and for links to a search. */
export function ResultPage({ query, decisions, found }: Props) {
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-1 gap-6">
      <h1 className="text-3xl font-semibold tracking-tight">Search</h1>
      <SearchForm query={query} decisions={decisions} />
      {query !== "" && (
        <p className="text-sm text-muted">
          {found.length === 0
            ? "No results. Try fewer or different words."
            : `${formatCount(found.length, "result")} for “${query}”`}
        </p>
      )}
      <Results found={found} />
    </div>
  );
}

interface SearchFormProps {
  query?: string;
  decisions?: boolean;
  /** `secondary` beside another button that is the better next step. */
  variant?: "primary" | "secondary";
}

/** A search that opens the page of results. */
export function SearchForm({ query = "", decisions = false, variant = "primary" }: SearchFormProps) {
  return (
    <form action="/docs/search" className="grid gap-2.5">
      <div className="flex gap-2">
        <input
          name="q"
          type="search"
          defaultValue={query}
          maxLength={200}
          placeholder="Search guides and API reference"
          aria-label="Search terms"
          className="h-9 w-full min-w-0 rounded-md border border-line-strong bg-surface px-3 text-sm placeholder:text-muted pointer-coarse:text-base"
        />
        <button type="submit" className={buttonClass({ variant })}>
          Search
        </button>
      </div>
      <label className="flex w-fit items-center gap-2 text-sm text-muted">
        <input
          type="checkbox"
          name="decisions"
          value="1"
          defaultChecked={decisions}
          className="size-4 accent-ink"
        />
        Include design decisions
      </label>
    </form>
  );
}

/** Results as a list of links. */
export function Results({ found }: Pick<Props, "found">) {
  return (
    <ol className="grid gap-2">
      {found.map(({ section, terms }) => (
        <li key={section.id}>
          <Link
            href={section.href}
            className="grid gap-0.5 rounded-lg border border-line bg-surface px-4 py-3 hover:bg-subtle"
          >
            <SearchResult section={section} terms={terms} />
          </Link>
        </li>
      ))}
    </ol>
  );
}
