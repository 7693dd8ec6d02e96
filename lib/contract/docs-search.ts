import type MiniSearch from "minisearch";
import type { Options, SearchOptions, SearchResult } from "minisearch";

/** `background` is about the service itself: its design and its measurements. */
export type DocsKind = "guide" | "reference" | "background" | "decision";

/** The part of a page below one heading: the unit that a search finds. */
export interface DocsSection {
  id: number;
  kind: DocsKind;
  page: string;
  heading: string;
  href: string;
  text: string;
  /** Further words that readers search for; only in the first section of a page. */
  keywords?: string;
}

/** A section that matches a search, with the matching words. */
export interface DocsHit {
  section: DocsSection;
  terms: readonly string[];
  /** Where all words of the search are: in heading, page or keywords, else in the text, or only similar words. */
  fit: "named" | "text" | "mistyped";
}

export type DocsIndex = MiniSearch<DocsSection>;

/** Words of questions, which say nothing about the answer. */
const STOP_WORDS = new Set(
  "a an and are at be by can do does for from have how i if in is it me my of on or our so that the this to use using we what when where which why will with without you your".split(
    " ",
  ),
);

/** A word as it is indexed and looked up: in lower case and without the endings of plurals. */
function normalise(word: string): string | null {
  const lower = word.toLowerCase();
  if (STOP_WORDS.has(lower)) return null;
  if (lower.length > 4 && lower.endsWith("ies")) return `${lower.slice(0, -3)}y`;
  return lower.length > 3 && /[^su]s$/.test(lower) ? lower.slice(0, -1) : lower;
}

/** Shared by the search of the browser and of the server, so that both find the same. */
export const INDEX_OPTIONS: Options<DocsSection> = {
  fields: ["heading", "page", "text", "keywords"],
  storeFields: ["kind", "page", "heading", "href", "text"],
  processTerm: normalise,
};

/** Maximum results of a search, and of one page among them. */
const MAX_RESULTS = 12;
const MAX_PER_PAGE = 3;

/** Guides answer most questions; pages about the service itself come last, unless their title has the word. */
const WEIGHTS: Record<DocsKind, number> = { guide: 1, reference: 0.8, background: 0.01, decision: 0.01 };

const RANKING: SearchOptions = {
  prefix: (term) => term.length > 2,
  boost: { heading: 4, page: 2, keywords: 4 },
  boostDocument: (_id, term, stored) =>
    Math.max(WEIGHTS[stored?.kind as DocsKind], String(stored?.page).toLowerCase().includes(term) ? 0.6 : 0),
};

/** Tried in turn until one finds something: all words as they are, all with typing mistakes, any of them. */
const ATTEMPTS: readonly SearchOptions[] = [
  { combineWith: "AND" },
  { combineWith: "AND", fuzzy: 0.2 },
  { combineWith: "OR", fuzzy: 0.2 },
];

/** The best sections for a query. Decisions, which are for contributors, are found only on request. */
export function searchSections(index: DocsIndex, query: string, decisions: boolean): DocsHit[] {
  const filter = ({ kind }: SearchResult) => decisions || kind !== "decision";
  for (const attempt of ATTEMPTS) {
    const found = index.search(query.slice(0, 200), { ...RANKING, ...attempt, filter });
    if (found.length > 0) return bestOf(found, attempt.fuzzy === undefined);
  }
  return [];
}

function bestOf(found: readonly SearchResult[], exact: boolean): DocsHit[] {
  const ofPage = new Map<string, number>();
  const chosen = found.filter(({ page }) => {
    ofPage.set(page, (ofPage.get(page) ?? 0) + 1);
    return (ofPage.get(page) ?? 0) <= MAX_PER_PAGE;
  });
  return chosen.slice(0, MAX_RESULTS).map((result) => {
    const { id, kind, page, heading, href, text, terms, match, queryTerms } = result;
    const fieldsOf = (typed: string) =>
      Object.entries(match).flatMap(([term, fields]) => (term.startsWith(typed) ? fields : []));
    const named = queryTerms.every((typed) => fieldsOf(typed).some((field) => field !== "text"));
    const fit = !exact ? "mistyped" : named ? "named" : "text";
    return { section: { id, kind, page, heading, href, text }, terms: terms.flatMap(inflected), fit };
  });
}

/** The forms of an indexed word in texts: the reverse of {@link normalise}. */
const inflected = (term: string): string[] =>
  term.endsWith("y") ? [term, `${term.slice(0, -1)}ies`] : [term];

const BEFORE = 40;
const LENGTH = 160;

export interface Marked {
  text: string;
  hit: boolean;
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Splits a text at every place where one of the terms starts a word. */
export function markWords(text: string, terms: readonly string[]): Marked[] {
  if (terms.length === 0) return [{ text, hit: false }];
  const pattern = new RegExp(`((?<![\\p{L}\\p{N}])(?:${terms.map(escaped).join("|")}))`, "giu");
  return text
    .split(pattern)
    .map((part, index) => ({ text: part, hit: index % 2 === 1 }))
    .filter((part) => part.text !== "");
}

/** The part of a text around the first term, cut at blanks, with the terms marked. */
export function excerptOf(text: string, terms: readonly string[]): Marked[] {
  const hits = terms.map((term) => text.toLowerCase().indexOf(term)).filter((at) => at >= 0);
  const first = hits.length > 0 ? Math.min(...hits) : 0;
  const from = first <= BEFORE ? 0 : text.indexOf(" ", first - BEFORE) + 1;
  const end = text.length <= from + LENGTH ? text.length : text.lastIndexOf(" ", from + LENGTH);
  const cut = text.slice(from, Math.max(end, from + 1));
  return markWords(`${from > 0 ? "… " : ""}${cut}${end < text.length ? " …" : ""}`, terms);
}
