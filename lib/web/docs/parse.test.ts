import { expect, test } from "vitest";
import { highlight } from "./highlight";
import { parseDocs } from "./parse";

const parse = (text: string) => parseDocs("guides/a.md", text);

test("a page has its title, its first paragraph and its headings", () => {
  const page = parse("# A `b`\n\nFirst *words*\nhere.\n\n## Part one\n\n### Part one\n");
  expect(page).toMatchObject({ title: "A b", description: "First words here." });
  expect(page.headings.map(({ id, depth }) => [id, depth])).toEqual([
    ["part-one", 2],
    ["part-one-1", 3],
  ]);
});

test("anchors are those of the repository's viewer", () => {
  const ids = parse("# T\n\n## 1. Anna gets `a_b`\n\n## What's this, & why?\n").headings.map(({ id }) => id);
  expect(ids).toEqual(["1-anna-gets-a_b", "whats-this--why"]);
});

test("markup in a page stays text, and a link to a script is dropped", () => {
  const { blocks } = parse("# T\n\n<script>alert(1)</script>\n\nsee [this](javascript:alert(1)) & `<b>`\n");
  expect(blocks).toEqual([
    { kind: "paragraph", children: [{ kind: "text", text: "<script>alert(1)</script>" }] },
    {
      kind: "paragraph",
      children: [
        { kind: "text", text: "see " },
        { kind: "text", text: "this" },
        { kind: "text", text: " & " },
        { kind: "code", text: "<b>" },
      ],
    },
  ]);
});

test("a quotation with an alert on its first line has a tone", () => {
  const { blocks } = parse("# T\n\n> [!WARNING]\n> Mind **this**.\n\n> Said.\n");
  expect(blocks).toMatchObject([
    {
      kind: "quote",
      tone: "warn",
      children: [{ children: [{ text: "Mind " }, { kind: "strong" }, { text: "." }] }],
    },
    { kind: "quote", tone: undefined },
  ]);
});

test("a block of code keeps its text, its language and the rest of its first line", () => {
  const { blocks } = parse("# T\n\n```js file=a.mjs run\nconst a = 1;\n```\n");
  expect(blocks).toEqual([{ kind: "code", language: "js", info: "file=a.mjs run", text: "const a = 1;" }]);
});

test.each([
  "sh",
  "js",
  "ts",
  "tsx",
  "json",
  "swift",
  "kotlin",
  "dart",
  "csharp",
  "nginx",
  "xml",
  "ini",
  "sql",
])("colours of %s lose no character", async (language) => {
  const text = `let a = "x <b>"; // ü\n\n  if (a) { return 'y' } # z\n`;
  const lines = await highlight(text, language);
  expect(lines.map((pieces) => pieces.map((piece) => piece.text).join("")).join("\n")).toBe(text);
});

test("keywords of a language get a look, code in an unknown language does not", async () => {
  const looks = (lines: Awaited<ReturnType<typeof highlight>>) => lines.flat().map(({ look }) => look);
  expect(looks(await highlight('const a = "b"; // c', "ts"))).toEqual(
    expect.arrayContaining(["keyword", "string", "comment"]),
  );
  expect(looks(await highlight("const a = 1", "klingon"))).toEqual([undefined]);
});
