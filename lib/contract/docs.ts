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

/** An operation of the API as one line of a list. */
export interface OperationLine {
  id: string;
  /** Method and path, such as `POST /api/referrer`. */
  call: string;
  summary: string;
  description: string;
}
