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

export interface DocsCode {
  kind: "code";
  language: string;
  info: string;
  text: string;
  lines?: Piece[][];
}

export type Block =
  | (Heading & { kind: "heading"; children: Inline[] })
  | { kind: "paragraph"; children: Inline[] }
  | DocsCode
  /** One request in several languages. */
  | { kind: "samples"; samples: DocsCode[] }
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
  /** The address of the page as Markdown. */
  markdown: string;
  /** Where the page is edited; undefined without the operator's setting and for generated pages. */
  edit: string | undefined;
  /** The operation that the page describes, if it can be sent from a browser. */
  operation: TriedOperation | undefined;
}

/** The text in samples that a page replaces by the reader's own sandbox key. */
export const SAMPLE_KEY = "mc_test_your_key";

/** An operation of the API that a page can send. */
export interface TriedOperation {
  method: string;
  /** Below `/api`, parameters in braces. */
  path: string;
  parameters: readonly { name: string; example: string }[];
  body: string | undefined;
  /** Whether the request needs an API key. */
  keyed: boolean;
  idempotent: boolean;
}
