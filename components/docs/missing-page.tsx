"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { Link } from "@/components/ui/link";
import type { DocsLink } from "@/lib/contract/docs";
import { SearchForm } from "./result-page";
import { queryOf, similarPages } from "./similar-pages";

/**
 * The page for an unknown address. It finds pages with similar names itself, because loading the search index would cost
 * a phone half a second, for visitors who mostly leave.
 */
export function MissingDocsPage({ pages }: { pages: readonly DocsLink[] }) {
  const path = usePathname();
  // Set in the browser, because the server stores one page for all missing addresses.
  const [query, setQuery] = useState("");
  useEffect(() => setQuery(queryOf(path)), [path]);
  const similar = similarPages(pages, query);
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
      <SearchForm key={query} query={query} />
      {similar.length > 0 && (
        <section aria-labelledby="similar" className="grid gap-3">
          <h2 id="similar" className="text-sm font-medium text-muted">
            Similar pages
          </h2>
          <ul className="grid gap-2">
            {similar.map(({ href, name }) => (
              <li key={href}>
                <Link
                  href={href}
                  className="block rounded-lg border border-line bg-surface px-4 py-3 text-sm font-medium hover:bg-subtle"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
