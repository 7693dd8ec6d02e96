import { describe, expect, test } from "vitest";
import { brokenRules, lineCounts } from "./source";
import { projectFiles } from "./tree";

describe("every file of the project", () => {
  const files = projectFiles();

  test("keeps the rules of the house", () => {
    expect(files.length).toBeGreaterThan(200);
    expect(brokenRules(files)).toEqual([]);
  });

  test("is short in the middle and at the end", () => {
    const { median, p90 } = lineCounts(files);
    expect(median).toBeLessThanOrEqual(45);
    expect(p90).toBeLessThanOrEqual(110);
  });

  test("the lock file names no registry, so that every installation uses its own", () => {
    const lock = files.find(({ path }) => path === "package-lock.json")?.text ?? "";
    const hosts = [...lock.matchAll(/"resolved": "(https?:\/\/[^/]+)/g)].map((match) => match[1]);
    expect(lock.length).toBeGreaterThan(10_000);
    expect([...new Set(hosts)]).toEqual([]);
  });

  test.each([
    ["lib/x/y.ts", "a\n".repeat(252)],
    ["lib/x/y.ts", "const port = process.env.PORT;"],
    ["lib/x/y.ts", `const { env } = process["env"];`],
    ["lib/x/y.ts", "return new Response(null);"],
    ["app/api/x/route.ts", "return Response.json({});"],
    ["app/api/x/route.ts", "return NextResponse.json({});"],
    ["docs/x.md", `see /${"wo"}rk/main`],
    ["README.md", `see /${"ho"}me/ann/metacode`],
    ["lib/x/y.ts", `// ${"TO"}DO later`],
    ["lib/x/index.ts", `export * from "./y";`],
  ])("a planted break in %s is found", (path, text) => {
    expect(brokenRules([{ path, text }])).toHaveLength(1);
  });
});
