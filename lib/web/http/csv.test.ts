import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, test } from "vitest";
import { csvResponse } from "@/lib/web/http/csv";

async function* rowsOf(cells: string[][]) {
  for (const [a, b, c] of cells) yield { a, b, c };
}

/** The exported file as text, without its byte order mark. */
async function exported(cells: string[][]): Promise<string> {
  const text = await csvResponse("x.csv", ["a", "b", "c"], rowsOf(cells)).text();
  return text.replace(/^\uFEFF/, "");
}

/** The rows as read by a program that honours quotes. */
const read = (text: string, delimiter: string): string[][] =>
  parse(text, { delimiter, relax_column_count: true, relax_quotes: true, from_line: 2 });

const RUNS = /^[\s"]*[=+\-@＝＋－＠]/;

/** The cells as the crudest program reads them: split at every separator and line break, quoted or not. */
const coarse = (text: string, separator: string): string[] =>
  text.split(new RegExp(`[${separator}\\t\\r\\n]`));

test.each([
  [";=1+1", ";'=1+1"],
  ["a; =1+1", "a;' =1+1"],
  ['a;"=cmd()', `a;'"=cmd()`],
  ["a\n=1+1", "a\n'=1+1"],
  ["a\r-1", "a\r'-1"],
  ["a\t@SUM(A1)", "a\t'@SUM(A1)"],
  ["=1+1", "'=1+1"],
  [" =1+1", "' =1+1"],
  ["＝1+1", "'＝1+1"],
  ["user-1;b=2;c+3", "user-1;b=2;c+3"],
  ["plain, with comma", "plain, with comma"],
  ["a;b", "a;b"],
])("%j is exported as %j", async (cell, expected) => {
  expect(read(await exported([["first", cell, "last"]]), ",")).toEqual([["first", expected, "last"]]);
});

test("in the first column a cell with a semicolon stays one cell where that is the separator", async () => {
  const text = await exported([["a;b", "", ""]]);
  expect(text.split("\n")[1]).toBe('"a;b",,');
});

const cell = fc.array(
  fc.constantFrom("=", "+", "-", "@", ";", ",", '"', "'", "\t", "\r", "\n", " ", "a", "1"),
  {
    maxLength: 12,
  },
);

test("no reader finds a cell that begins with a formula, whatever the texts and the separator", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 4 }), async (rows) => {
      const text = await exported(rows.map((row) => row.map((parts) => parts.join(""))));
      for (const found of coarse(text, ";")) expect(found).not.toMatch(RUNS);
      for (const found of read(text, ",").flat()) expect(found).not.toMatch(RUNS);
    }),
    { numRuns: 2_000 },
  );
});

test("a reader who leaves with reads under way ends the reading of rows, and nothing is thrown", async () => {
  let ended = 0;
  async function* endless() {
    try {
      for (let n = 0; ; n++) {
        if (n % 500 === 0) await new Promise(setImmediate);
        yield { a: "x".repeat(100) };
      }
    } finally {
      ended += 1;
    }
  }
  for (let n = 0; n < 20; n++) {
    const reader = csvResponse("x.csv", ["a"], endless()).body?.getReader();
    await reader?.read();
    await new Promise(setImmediate);
    for (let more = 0; more < 3; more++) void reader?.read();
    await reader?.cancel();
  }
  // An error that is thrown outside of a promise fails the run.
  await expect.poll(() => ended).toBe(20);
});
