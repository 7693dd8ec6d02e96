import { marked, type Token, type Tokens } from "marked";
import type { Block, Heading, Inline, Tone } from "@/lib/contract/docs";
import { anchors } from "./address";
import { inlineOf, textOf } from "./inline";

export interface Parsed {
  title: string;
  description: string;
  /** Without the title. */
  blocks: Block[];
  headings: Heading[];
}

type Anchor = (text: string) => string;

/** Markdown of `file` as blocks. Everything is text to whoever draws it: HTML in a page is shown, not run. */
export function parseDocs(file: string, markdown: string): Parsed {
  const all = blocksOf(marked.lexer(markdown), { file, anchor: anchors() });
  const title = all.find((block) => block.kind === "heading" && block.depth === 1);
  const blocks = all.filter((block) => block !== title);
  const lead = blocks.find((block) => block.kind === "paragraph");
  return {
    title: title?.kind === "heading" ? title.text : file,
    description: lead?.kind === "paragraph" ? textOf(lead.children).replace(/\s+/g, " ") : "",
    blocks,
    headings: blocks.filter((block) => block.kind === "heading"),
  };
}

interface Place {
  file: string;
  anchor: Anchor;
}

function blocksOf(tokens: readonly Token[], place: Place): Block[] {
  return tokens.flatMap((token) => blockOf(token, place) ?? []);
}

function blockOf(token: Token, place: Place): Block | undefined {
  const words = (): Inline[] => inlineOf(token.type === "html" ? [token] : textTokens(token), place.file);
  switch (token.type) {
    case "heading":
      return headingOf(token as Tokens.Heading, words(), place);
    case "paragraph":
    case "text":
    case "html":
      return { kind: "paragraph", children: words() };
    case "code":
      return codeOf(token as Tokens.Code);
    case "list":
      return listOf(token as Tokens.List, place);
    case "table":
      return tableOf(token as Tokens.Table, place.file);
    case "blockquote":
      return quoteOf(token as Tokens.Blockquote, place);
    case "hr":
      return { kind: "rule" };
    default:
      return undefined;
  }
}

const textTokens = (token: Token): Token[] => ("tokens" in token && token.tokens ? token.tokens : [token]);

function headingOf({ depth }: Tokens.Heading, children: Inline[], { anchor }: Place): Block {
  const text = textOf(children);
  return { kind: "heading", depth, id: anchor(text), text, children };
}

function codeOf({ lang = "", text }: Tokens.Code): Block {
  const [language = "", ...rest] = lang.split(" ");
  return { kind: "code", language, info: rest.join(" "), text };
}

function listOf(list: Tokens.List, place: Place): Block {
  const items = list.items.map((item) => blocksOf(item.tokens, place));
  return { kind: "list", ordered: list.ordered, start: Number(list.start) || 1, items };
}

function tableOf({ header, rows }: Tokens.Table, file: string): Block {
  const cells = (row: Tokens.TableCell[]) => row.map((cell) => inlineOf(cell.tokens, file));
  return { kind: "table", head: cells(header), rows: rows.map(cells) };
}

const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

/** `> [!WARNING]` on its first line gives a quotation a tone, here as in the repository's viewer. */
function quoteOf({ text, tokens }: Tokens.Blockquote, place: Place): Block {
  const word = ALERT.exec(text)?.[1];
  if (!word) return { kind: "quote", tone: undefined, children: blocksOf(tokens, place) };
  const tone: Tone = word === "WARNING" || word === "CAUTION" ? "warn" : "note";
  return { kind: "quote", tone, children: blocksOf(marked.lexer(text.replace(ALERT, "")), place) };
}
