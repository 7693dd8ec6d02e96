import { marked, type Token, type Tokens } from "marked";
import type { Block, Heading, Inline, QuoteTone } from "@/lib/contract/docs";
import { anchors } from "./address";
import { inlineOf, textOf } from "./inline";

export interface ParsedPage {
  title: string;
  description: string;
  /** Without the title. */
  blocks: Block[];
  headings: Heading[];
}

type Anchor = (text: string) => string;

/** Markdown of `file` as blocks. All content is text: HTML in a page is shown, not rendered. */
export function parseDocs(file: string, markdown: string): ParsedPage {
  const all = withSamples(blocksOf(marked.lexer(markdown), { file, anchor: anchors() }));
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

interface PageScope {
  file: string;
  anchor: Anchor;
}

function blocksOf(tokens: readonly Token[], scope: PageScope): Block[] {
  return tokens.flatMap((token) => blockOf(token, scope) ?? []);
}

function blockOf(token: Token, scope: PageScope): Block | undefined {
  const inline = (): Inline[] => inlineOf(token.type === "html" ? [token] : textTokens(token), scope.file);
  switch (token.type) {
    case "heading":
      return headingOf(token as Tokens.Heading, inline(), scope);
    case "paragraph":
    case "text":
    case "html":
      return { kind: "paragraph", children: inline() };
    case "code":
      return codeOf(token as Tokens.Code);
    case "list":
      return listOf(token as Tokens.List, scope);
    case "table":
      return tableOf(token as Tokens.Table, scope.file);
    case "blockquote":
      return quoteOf(token as Tokens.Blockquote, scope);
    case "hr":
      return { kind: "rule" };
    default:
      return undefined;
  }
}

const textTokens = (token: Token): Token[] => ("tokens" in token && token.tokens ? token.tokens : [token]);

function headingOf({ depth }: Tokens.Heading, children: Inline[], { anchor }: PageScope): Block {
  const text = textOf(children);
  return { kind: "heading", depth, id: anchor(text), text, children };
}

/** Joins neighbouring blocks of code that are marked as samples of one request. */
function withSamples(blocks: readonly Block[]): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (block.kind !== "code" || block.info !== "sample") joined.push(block);
    else if (last?.kind === "samples") last.samples.push(block);
    else joined.push({ kind: "samples", samples: [block] });
  }
  return joined;
}

function codeOf({ lang = "", text }: Tokens.Code): Block {
  const [language = "", ...rest] = lang.split(" ");
  return { kind: "code", language, info: rest.join(" "), text };
}

function listOf(list: Tokens.List, scope: PageScope): Block {
  const items = list.items.map((item) => blocksOf(item.tokens, scope));
  return { kind: "list", ordered: list.ordered, start: Number(list.start) || 1, items };
}

function tableOf({ header, rows }: Tokens.Table, file: string): Block {
  const cells = (row: Tokens.TableCell[]) => row.map((cell) => inlineOf(cell.tokens, file));
  return { kind: "table", head: cells(header), rows: rows.map(cells) };
}

const ALERT = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\]\s*/;

/** A quotation; `> [!WARNING]` on its first line gives it a tone, as on GitHub. */
function quoteOf({ text, tokens }: Tokens.Blockquote, scope: PageScope): Block {
  const word = ALERT.exec(text)?.[1];
  if (!word) return { kind: "quote", tone: undefined, children: blocksOf(tokens, scope) };
  const tone: QuoteTone = word === "WARNING" || word === "CAUTION" ? "warn" : "note";
  return { kind: "quote", tone, children: blocksOf(marked.lexer(text.replace(ALERT, "")), scope) };
}
