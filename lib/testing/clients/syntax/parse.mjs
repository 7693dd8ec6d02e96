import { readFileSync } from "node:fs";
import Parser from "@sengac/tree-sitter";
import dart from "@sengac/tree-sitter-dart";
import csharp from "tree-sitter-c-sharp";

// Fails with the places of the files in which the grammar of their extension finds errors.
const grammars = { dart, cs: csharp };
const wrong = process.argv.slice(2).flatMap((file) => {
  const parser = new Parser();
  parser.setLanguage(grammars[file.split(".").at(-1)]);
  return faultsOf(parser.parse(readFileSync(file, "utf8")).rootNode).map(
    ({ startPosition: { row }, text }) => `${file}:${row + 1}: ${text.slice(0, 80)}`,
  );
});

function faultsOf(node) {
  if (node.type === "ERROR" || node.isMissing) return [node];
  return node.hasError ? node.children.flatMap(faultsOf) : [];
}

if (wrong.length > 0) throw new Error(wrong.join("\n"));
