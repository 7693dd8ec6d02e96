/** Words of a documentation page, as the server hands them to what draws them. */
export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "em"; children: Inline[] }
  /** `href` is an address of this site or an absolute one. */
  | { kind: "link"; href: string; children: Inline[] }
  | { kind: "break" };

/** What a stretch of code is, for its colour; undefined for plain text. */
export type Look = "keyword" | "string" | "comment" | "constant" | "function" | "parameter" | undefined;

export interface Piece {
  text: string;
  look: Look;
}

export interface Heading {
  depth: number;
  /** Anchor, made as the repository's own viewer makes it. */
  id: string;
  text: string;
}

export type Tone = "note" | "warn";

export type Block =
  | (Heading & { kind: "heading"; children: Inline[] })
  | { kind: "paragraph"; children: Inline[] }
  | { kind: "code"; language: string; info: string; text: string; lines?: Piece[][] }
  | { kind: "list"; ordered: boolean; start: number; items: Block[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "quote"; tone: Tone | undefined; children: Block[] }
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
  /** Pages that say the same for another language or tool; empty for most. */
  siblings: readonly DocsLink[];
}

/** A part of a page below one heading: what a search finds. */
export interface DocsSection {
  id: number;
  page: string;
  heading: string;
  href: string;
  text: string;
}

/** For the search of the browser and that of the server, so that both find the same. */
export const SEARCH_OPTIONS = {
  fields: ["heading", "page", "text"],
  storeFields: ["page", "heading", "href", "text"],
  searchOptions: { prefix: true, fuzzy: 0.2, boost: { heading: 4, page: 2 }, combineWith: "AND" as const },
};

/** More than anybody reads. */
export const MOST_RESULTS = 12;
