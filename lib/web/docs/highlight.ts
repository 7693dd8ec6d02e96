import type { HighlighterCore } from "shiki/core";
import type { Look, Piece } from "@/lib/contract/docs";

/** Grammars by the name that pages use; code in any other language is not highlighted. */
const GRAMMARS: Readonly<Record<string, string>> = {
  sh: "bash",
  js: "javascript",
  ts: "typescript",
  tsx: "tsx",
  json: "json",
  swift: "swift",
  kotlin: "kotlin",
  dart: "dart",
  csharp: "csharp",
  html: "html",
  xml: "xml",
  nginx: "nginx",
  http: "http",
  yaml: "yaml",
  sql: "sql",
  ini: "ini",
};

/** Kinds of tokens by the theme's variables, because the policy of our pages allows no `style` attribute. */
const LOOKS: Readonly<Record<string, Look>> = {
  "--token-keyword": "keyword",
  "--token-string": "string",
  "--token-string-expression": "string",
  "--token-comment": "comment",
  "--token-constant": "constant",
  "--token-function": "function",
  "--token-parameter": "parameter",
  "--token-link": "string",
};

let highlighter: Promise<HighlighterCore> | undefined;

/** Imports the highlighter at its first use, because a build has already highlighted the code of its pages. */
async function load(): Promise<HighlighterCore> {
  const { createCssVariablesTheme, createHighlighterCore } = await import("shiki/core");
  const { createJavaScriptRegexEngine } = await import("shiki/engine/javascript");
  return createHighlighterCore({
    themes: [createCssVariablesTheme({ name: "variables", variablePrefix: "--" })],
    langs: [
      import("shiki/langs/bash.mjs"),
      import("shiki/langs/javascript.mjs"),
      import("shiki/langs/typescript.mjs"),
      import("shiki/langs/tsx.mjs"),
      import("shiki/langs/json.mjs"),
      import("shiki/langs/swift.mjs"),
      import("shiki/langs/kotlin.mjs"),
      import("shiki/langs/dart.mjs"),
      import("shiki/langs/csharp.mjs"),
      import("shiki/langs/html.mjs"),
      import("shiki/langs/xml.mjs"),
      import("shiki/langs/nginx.mjs"),
      import("shiki/langs/http.mjs"),
      import("shiki/langs/yaml.mjs"),
      import("shiki/langs/sql.mjs"),
      import("shiki/langs/ini.mjs"),
    ],
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  });
}

/** Code as lines of pieces with one style each. An unknown language gives one plain piece per line. */
export async function highlight(text: string, language: string): Promise<Piece[][]> {
  const lang = GRAMMARS[language];
  if (!lang) return text.split("\n").map((line) => [{ text: line, look: undefined }]);
  highlighter ??= load();
  // Without a time limit: on a busy machine the first use of a grammar exceeds it, and the line would stay plain forever.
  const options = { lang, theme: "variables", tokenizeTimeLimit: 0 };
  const lines = (await highlighter).codeToTokensBase(text, options);
  return lines.map((tokens) =>
    joined(tokens.map(({ content, color }) => ({ text: content, look: styleOf(color) }))),
  );
}

const styleOf = (color = ""): Look => LOOKS[color.slice("var(".length, -1)];

/**
 * Joins adjacent pieces of the same style, and blanks to the piece before them, which cuts the markup to a third.
 */
function joined(pieces: Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last && (last.look === piece.look || piece.text.trim() === "")) last.text += piece.text;
    else all.push({ ...piece });
  }
  return all;
}
