"use client";

import { usePathname } from "next/navigation";
import { useEffect } from "react";
import { Link } from "@/components/ui/link";
import { Results, SearchForm } from "./result-page";
import { useSearchIndex } from "./use-search-index";

/** The address as a query: `/docs/guides/app-review.md` is "app review". */
const queryOf = (path: string): string =>
  (path.split("/").at(-1) ?? "").replace(/\.\w+$/, "").replace(/[-_]+/g, " ");

/** The page for an address without one. It searches for the words of the address. */
export function MissingDocsPage() {
  const query = queryOf(usePathname());
  const { hits, search } = useSearchIndex();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address
  useEffect(() => {
    void search(query, false);
  }, [query]);
  return (
    <div className="mx-auto grid max-w-3xl grid-cols-1 gap-6">
      <header className="grid gap-2">
        <h1 className="text-3xl font-semibold tracking-tight">Page not found</h1>
        <p className="text-muted">
          There is no page at this address. Search for it, or see{" "}
          <Link href="/docs" className="text-accent underline underline-offset-3">
            all pages
          </Link>
          .
        </p>
      </header>
      <SearchForm />
      {hits && hits.length > 0 && (
        <section aria-labelledby="similar" className="grid gap-3">
          <h2 id="similar" className="text-sm font-medium text-muted">
            Similar pages
          </h2>
          <Results found={hits.slice(0, 5)} />
        </section>
      )}
    </div>
  );
}
