/** Inline text of a documentation page, parsed by the server for the components. */
export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "em"; children: Inline[] }
  /** `href` is an address of this site or an absolute one. */
  | { kind: "link"; href: string; children: Inline[] }
  | { kind: "break" };

/** The kind of a token of code, for its colour; undefined for plain text. */
export type Look = "keyword" | "string" | "comment" | "constant" | "function" | "parameter" | undefined;

export interface Piece {
  text: string;
  look: Look;
}

export interface Heading {
  depth: number;
  /** The anchor, derived as the repository's own viewer derives it. */
  id: string;
  text: string;
}

export type QuoteTone = "note" | "warn";

export type Block =
  | (Heading & { kind: "heading"; children: Inline[] })
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "code"; language: string; info: string; text: string; lines?: Piece[][] }
  | { kind: "list"; ordered: boolean; start: number; items: Block[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "quote"; tone: QuoteTone | undefined; children: Block[] }
  | { kind: "rule" };

export interface DocsLink {
  href: string;
  name: string;
}

export interface DocsGroup {
  name: string;
  pages: readonly DocsLink[];
}

export interface DocsPage extends DocsLink {
  title: string;
  /** The first paragraph as plain text. */
  description: string;
  group: string;
  blocks: Block[];
  headings: Heading[];
  previous: DocsLink | undefined;
  next: DocsLink | undefined;
  /** Pages with the same content for another language or tool; empty for most. */
  siblings: readonly DocsLink[];
}

/** The part of a page below one heading: the unit that a search finds. */
export interface DocsSection {
  id: number;
  page: string;
  heading: string;
  href: string;
  text: string;
}

/** Shared by the search of the browser and of the server, so that both find the same. */
export const SEARCH_OPTIONS = {
  fields: ["heading", "page", "text"],
  storeFields: ["page", "heading", "href", "text"],
  searchOptions: { prefix: true, fuzzy: 0.2, boost: { heading: 4, page: 2 }, combineWith: "AND" as const },
};

/** Maximum results of a search. */
export const MAX_RESULTS = 12;

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

/** An operation of the API as one line of a list. */
export interface OperationLine {
  id: string;
  /** Method and path, such as `POST /api/referrer`. */
  call: string;
  summary: string;
  description: string;
}
