"use client";

import { useRef, useState } from "react";
import {
  type DocsHit,
  type DocsIndex,
  type DocsSection,
  INDEX_OPTIONS,
  searchSections,
} from "@/lib/contract/docs-search";

/** Loads the library and the texts with the first search, not with the page. */
async function load(): Promise<DocsIndex> {
  const [{ default: Search }, response] = await Promise.all([
    import("minisearch"),
    fetch("/docs/search.json"),
  ]);
  if (!response.ok) throw new Error("The search index is missing");
  const sections = (await response.json()) as DocsSection[];
  const index = new Search<DocsSection>(INDEX_OPTIONS);
  index.addAll(sections);
  return index;
}

/** Loaded once per visit: the dialog is mounted again each time it opens. */
let loading: Promise<DocsIndex> | undefined;

function warm(): Promise<DocsIndex> {
  loading ??= load();
  loading.catch(() => {
    loading = undefined;
  });
  return loading;
}

/** Searches the documentation in the browser. When `failed`, the index is missing, but the form still works. */
export function useSearchIndex() {
  const latest = useRef("");
  const [hits, setHits] = useState<readonly DocsHit[]>();
  const [failed, setFailed] = useState(false);
  const search = async (query: string, decisions: boolean) => {
    latest.current = query;
    setFailed(false);
    if (query.trim() === "") return setHits(undefined);
    try {
      const ready = await warm();
      // A newer query has replaced this one.
      if (latest.current === query) setHits(searchSections(ready, query, decisions));
    } catch {
      setFailed(true);
    }
  };
  return { hits, failed, warm, search };
}
