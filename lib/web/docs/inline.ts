import type { Token, Tokens } from "marked";
import type { Inline } from "@/lib/contract/docs";
import { resolveLink } from "./address";

/** The inline content of `file` from the parser's tokens. A link to a file that the site does not show becomes text. */
export function inlineOf(tokens: readonly Token[] | undefined, file: string): Inline[] {
  return (tokens ?? []).flatMap((token) => inlineOfToken(token, file));
}

function inlineOfToken(token: Token, file: string): Inline[] {
  switch (token.type) {
    case "strong":
    case "em":
      return [{ kind: token.type, children: inlineOf(token.tokens, file) }];
    case "codespan":
      return [{ kind: "code", text: token.text }];
    case "br":
      return [{ kind: "break" }];
    case "link":
      return linkOf(token as Tokens.Link, file);
    case "text":
      return token.tokens ? inlineOf(token.tokens, file) : [{ kind: "text", text: token.text }];
    default:
      return [{ kind: "text", text: "text" in token ? String(token.text) : token.raw }];
  }
}

function linkOf(token: Tokens.Link, file: string): Inline[] {
  const href = resolveLink(file, token.href);
  const children = inlineOf(token.tokens, file);
  return href === undefined ? children : [{ kind: "link", href, children }];
}

/** Inline content as plain text. */
export function textOf(children: readonly Inline[]): string {
  return children
    .map((child) => {
      if (child.kind === "break") return " ";
      return "text" in child ? child.text : textOf(child.children);
    })
    .join("");
}
