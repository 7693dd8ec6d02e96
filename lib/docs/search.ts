import MiniSearch, { type SearchResult } from "minisearch";
import { type DocsSection, MOST_RESULTS, SEARCH_OPTIONS } from "@/lib/contract/docs";
import { docsSections } from "./sections";

/** A section that was found, with the words of it that fitted. */
export type Found = DocsSection & { terms: string[] };

let index: Promise<MiniSearch<DocsSection>> | undefined;

async function build(): Promise<MiniSearch<DocsSection>> {
  const made = new MiniSearch<DocsSection>(SEARCH_OPTIONS);
  made.addAll(await docsSections());
  return made;
}

/** What the browser finds too, for whoever has no script. */
export async function searchDocs(query: string): Promise<Found[]> {
  index ??= build();
  const results: SearchResult[] = (await index).search(query.slice(0, 200));
  return results.slice(0, MOST_RESULTS).map(({ id, page, heading, href, text, terms }) => ({
    ...{ id, page, heading, href, text, terms },
  }));
}
