"use client";

import type MiniSearch from "minisearch";
import { useRef, useState } from "react";
import { type DocsSection, MAX_RESULTS, SEARCH_OPTIONS } from "@/lib/contract/docs";

export interface Hit {
  section: DocsSection;
  terms: readonly string[];
}

type Index = MiniSearch<DocsSection>;

/** Loads the library and the texts with the first search, not with the page. */
async function load(): Promise<Index> {
  const [{ default: Search }, response] = await Promise.all([
    import("minisearch"),
    fetch("/docs/search.json"),
  ]);
  if (!response.ok) throw new Error("The search index is missing");
  const sections = (await response.json()) as DocsSection[];
  const index = new Search<DocsSection>(SEARCH_OPTIONS);
  index.addAll(sections);
  return index;
}

function hitsIn(index: Index, query: string): Hit[] {
  return index
    .search(query)
    .slice(0, MAX_RESULTS)
    .map(({ id, page, heading, href, text, terms }) => ({
      section: { id, page, heading, href, text },
      terms,
    }));
}

/** Searches the documentation in the browser. When `failed`, the index is missing, but the form still works. */
export function useSearchIndex() {
  const index = useRef<Promise<Index>>(undefined);
  const latest = useRef("");
  const [hits, setHits] = useState<readonly Hit[]>();
  const [failed, setFailed] = useState(false);
  const warm = () => {
    index.current ??= load();
    index.current.catch(() => {
      index.current = undefined;
    });
    return index.current;
  };
  const search = async (query: string) => {
    latest.current = query;
    if (query.trim() === "") return setHits(undefined);
    try {
      const ready = await warm();
      setFailed(false);
      // A newer query has replaced this one.
      if (latest.current === query) setHits(hitsIn(ready, query));
    } catch {
      setFailed(true);
    }
  };
  return { hits, failed, warm, search };
}
