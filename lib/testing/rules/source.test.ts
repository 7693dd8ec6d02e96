import { describe, expect, test } from "vitest";
import {
  ambiguousExports,
  brokenRules,
  fragments,
  hiddenParts,
  privateExports,
  sizes,
  unusedExports,
} from "./source";
import { projectFiles } from "./tree";

describe("every file of the project", () => {
  const files = projectFiles();

  test("keeps the rules of the house", () => {
    expect(files.length).toBeGreaterThan(200);
    expect(brokenRules(files)).toEqual([]);
  });

  test("is one of at most 1,080, which are short in the middle and at the end", () => {
    const { files: count, median, p90 } = sizes(files);
    expect(count).toBeGreaterThan(900);
    expect(count).toBeLessThanOrEqual(1_080);
    expect(median).toBeLessThanOrEqual(60);
    expect(p90).toBeLessThanOrEqual(130);
  });

  test("is long enough to stand alone, or has two importers", () => {
    expect(fragments(files)).toEqual([]);
  });

  test("keeps each frame around an unexpected error: by its own page, or by that of all pages, which draws it", () => {
    const texts = new Map(files.map(({ path, text }) => [path, text]));
    const errorOf = (frame: string) => texts.get(frame.replace("layout.tsx", "error.tsx"));
    const frames = [...texts.keys()].filter((path) => /^app\/.+\/layout\.tsx$/.test(path));
    expect(frames.length).toBeGreaterThan(4);
    const drawn = (frame: string) => texts.get("app/error.tsx")?.includes(`"./${frame.slice(4, -4)}"`);
    expect(frames.filter((frame) => !errorOf(frame) && !drawn(frame))).toEqual([]);
    // A frame with a title already has the heading of the page.
    const titled = frames.filter((frame) => texts.get(frame)?.includes("<PageHeader"));
    expect(titled.length).toBeGreaterThan(0);
    expect(titled.filter((frame) => !errorOf(frame)?.includes("ErrorInSection"))).toEqual([]);
  });

  test("shows every part of the interface on the page of parts", () => {
    expect(hiddenParts(files)).toEqual([]);
    const planted = { path: "components/ui/ribbon.tsx", text: "export const Ribbon = () => null;" };
    expect(hiddenParts([...files, planted])).toEqual([planted.path]);
  });

  test("exports names that have one meaning in the whole project", () => {
    expect(ambiguousExports(files)).toEqual([]);
  });

  test("exports no name that only its own file uses", () => {
    expect(privateExports(files)).toEqual([]);
  });

  test("exports no function that only tests use", () => {
    expect(unusedExports(files)).toEqual([]);
  });

  test("the lock file names no registry, so that every installation uses its own", () => {
    const lock = files.find(({ path }) => path === "package-lock.json")?.text ?? "";
    const hosts = [...lock.matchAll(/"resolved": "(https?:\/\/[^/]+)/g)].map((match) => match[1]);
    expect(lock.length).toBeGreaterThan(10_000);
    expect([...new Set(hosts)]).toEqual([]);
  });

  test.each([
    ["lib/x/y.ts", "a\n".repeat(252)],
    ["lib/x/y.ts", "// a\n".repeat(4)],
    ["lib/x/y.sql", "  -- a\n".repeat(4)],
    ["lib/x/y.ts", `/**\n${" * a\n".repeat(4)} */`],
    ["lib/x/y.ts", "const port = process.env.PORT;"],
    ["lib/x/y.ts", `const { env } = process["env"];`],
    ["e2e/x/y.ts", "Object.assign(process.env, { DATABASE_URL: url });"],
    ["lib/x/y.ts", "return new Response(null);"],
    ["app/api/x/route.ts", "return Response.json({});"],
    ["app/api/x/route.ts", "return NextResponse.json({});"],
    ["docs/x.md", `see /${"wo"}rk/main`],
    ["README.md", `see /${"ho"}me/ann/metacode`],
    ["lib/x/y.ts", `// ${"TO"}DO later`],
    ["lib/x/index.ts", `export * from "./y";`],
    ["components/x/y.tsx", `<p className="text-[13px]">x</p>`],
  ])("a planted break in %s is found", (path, text) => {
    expect(brokenRules([{ path, text }])).toHaveLength(1);
  });

  test("a comment of three lines passes, also with tags and with another comment behind it", () => {
    const text = `/**\n${" * a\n".repeat(3)} * @param b c\n */\n${"// a\n".repeat(3)}\n// a\n`;
    expect(brokenRules([{ path: "lib/x/y.ts", text }])).toEqual([]);
  });
});

test("the size rule counts app, components and lib with the commands, without tests and their helpers", () => {
  const counted = ["app/a/page.tsx", "components/b.tsx", "lib/cli/c.ts", "lib/program/d.ts", "lib/web/e.ts"];
  const others = [
    "lib/web/e.test.ts",
    "lib/testing/f.ts",
    "bench/g.ts",
    "proxy.ts",
    "lib/cli/h.mjs",
    "lib/i.sql",
  ];
  const file = (path: string, index: number) => ({ path, text: "x\n".repeat(10 * (index + 1)) });
  expect(sizes([...counted, ...others].map(file))).toEqual({ files: 5, median: 30, p90: 50 });
});

test("a planted fragment is found, and a short file with two importers passes", () => {
  const small = { path: "lib/program/x/small.ts", text: "export const small = 1;\n" };
  const importer = (name: string) => ({
    path: `lib/program/x/${name}.ts`,
    text: `import { small } from "./small";\n${"export {};\n".repeat(20)}`,
  });
  expect(fragments([small, importer("a")])).toEqual(["lib/program/x/small.ts"]);
  expect(fragments([small, importer("a"), importer("b")])).toEqual([]);
});

test("a planted name with two meanings is found, wherever it is exported", () => {
  const planted = [
    { path: "lib/program/x/a.ts", text: "export interface Target {}" },
    { path: "e2e/parts/b.ts", text: "export const Target = 1;" },
    { path: "app/x/page.tsx", text: "export const metadata = {};" },
    { path: "app/y/page.tsx", text: "export const metadata = {};" },
  ];
  expect(ambiguousExports(planted)).toEqual(["Target: lib/program/x/a.ts, e2e/parts/b.ts"]);
});

test.each([
  "const Target = 1;\nexport { Target };",
  "export { inner as Target };",
  "export type { Inner, Target };",
  "export const { Target } = parts;",
  "export const { inner: Target = 1, other } = parts;",
  "export const [first, Target] = parts;",
  "export declare const Target: number;",
  "export namespace Target {}",
  "export const enum Target {}",
])("a second meaning is found in %s", (text) => {
  const first = { path: "lib/program/x/a.ts", text: "export interface Target {}" };
  expect(ambiguousExports([first, { path: "lib/web/y/b.ts", text }])).toHaveLength(1);
  expect(
    ambiguousExports([first, { path: "lib/web/y/b.ts", text: 'export { Target } from "@/lib/x/a";' }]),
  ).toEqual([]);
});

test.each([
  ["interface Checklist {}", "lib/web/y/b.ts", "type CheckList = 1", true],
  ["interface Checklist {}", "components/y/b.tsx", "function CheckList() {}", true],
  ["const acceptedLanguage = 1", "lib/web/y/b.ts", "const acceptedLanguages = 1", true],
  ["interface Reply {}", "lib/web/y/b.ts", "interface Replies {}", true],
  ["interface Facts {}", "components/y/b.tsx", "function Facts() {}", true],
  ["interface Fact {}", "components/y/b.tsx", "function Facts() {}", false],
  ["function createApp() {}", "components/y/b.tsx", "function CreateApp() {}", false],
])("of names that differ in case or a plural: %s, %s: %s", (first, path, second, found) => {
  const planted = [
    { path: "lib/program/x/a.ts", text: `export ${first}` },
    { path, text: `export ${second}` },
  ];
  expect(ambiguousExports(planted)).toHaveLength(found ? 1 : 0);
});

test("a planted export that only its own file uses is found, and one that a test imports passes", () => {
  const planted = [
    { path: "lib/program/x/a.ts", text: "export const inner = 1;\nexport const outer = inner;" },
    { path: "lib/program/x/a.test.ts", text: 'import { outer } from "./a";' },
    { path: "app/x/page.tsx", text: "export default function Page() {}\nexport const dynamic = 1;" },
  ];
  expect(privateExports(planted)).toEqual(["lib/program/x/a.ts: inner"]);
});

test("a planted export that nothing but a test uses is found", () => {
  const planted = [
    { path: "lib/program/x/a.ts", text: "export function used() {}\nexport async function dead() {}" },
    { path: "lib/program/x/b.ts", text: 'import { used } from "./a";\nused();' },
    { path: "lib/program/x/a.test.ts", text: 'import { dead, used } from "./a";' },
    { path: "lib/testing/a.ts", text: 'import { dead } from "@/lib/program/x/a";' },
  ];
  expect(unusedExports(planted)).toEqual(["lib/program/x/a.ts: dead"]);
});
