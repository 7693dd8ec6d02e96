import { afterEach, expect, test, vi } from "vitest";
import { isOutage, neverRan } from "@/lib/db/outage";
import { Line, PATIENCE_MS } from "./line";

afterEach(() => vi.useRealTimers());

/** One statement that the line has sent, to be answered by the test. */
interface Sent {
  items: readonly string[];
  answer(results: (string | undefined)[]): void;
  fail(error: Error): void;
}

/** A line of names; `Ann:x` has the marks `Ann` and `x`. */
function lineOfNames() {
  const sent: Sent[] = [];
  const emptied = vi.fn();
  const send = (items: readonly string[]) =>
    new Promise<(string | undefined)[]>((answer, fail) => sent.push({ items, answer, fail }));
  const line = new Line<string, string>({
    alone: async (item) => (await send([item]))[0] ?? "",
    together: send,
    marks: (item) => item.split(":") as [string, ...string[]],
    emptied,
  });
  return { line, sent, emptied, groups: () => sent.map(({ items }) => items.join(" ")) };
}

/** Everything that promises alone can do has been done. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A line with both lanes taken and `names` waiting, of whom the first group has just been sent. */
async function groupOf(names: string[]) {
  const made = lineOfNames();
  const { line, sent } = made;
  const busy = [line.ask("one"), line.ask("two")];
  const asked = names.map((name) => line.ask(name));
  for (const one of asked) one.catch(() => undefined);
  sent[0]?.answer(["1"]);
  await settled();
  return { ...made, asked, busy };
}

const withCode = (code: string) => Object.assign(new Error("failed"), { code });

test("who finds a lane free goes at once and alone, who does not goes together with the others", async () => {
  const { groups, asked, sent, busy, emptied } = await groupOf(["cid", "ann", "bob"]);
  expect(groups()).toEqual(["one", "two", "ann bob cid"]);
  sent[2]?.answer(["A", "B", "C"]);
  expect(await Promise.all(asked)).toEqual(["C", "A", "B"]);
  expect(emptied).not.toHaveBeenCalled();
  sent[1]?.answer(["2"]);
  expect(await Promise.all(busy)).toEqual(["1", "2"]);
  await settled();
  expect(emptied).toHaveBeenCalledOnce();
});

test("who waits by themselves goes alone", async () => {
  const { line, sent, groups, asked } = await groupOf(["ann"]);
  expect(groups()).toEqual(["one", "two", "ann"]);
  void line.ask("bob");
  sent[2]?.answer(["A"]);
  expect(await asked[0]).toBe("A");
  await settled();
  expect(groups()).toEqual(["one", "two", "ann", "bob"]);
});

test("no two under way share a mark; the second stays until the first is done", async () => {
  const { groups, sent } = await groupOf(["ann", "bob:key", "ann", "cid:key", "dan", "two"]);
  expect(groups()).toEqual(["one", "two", "ann bob:key dan"]);
  sent[1]?.answer(["2"]);
  await settled();
  expect(groups().slice(3)).toEqual(["two"]);
  sent[2]?.fail(withCode("ECONNRESET"));
  await settled();
  expect(groups().slice(4)).toEqual(["ann cid:key"]);
});

test("a lane that nobody could take is taken when the others are done", async () => {
  const { line, sent, groups, emptied } = lineOfNames();
  for (const name of ["ann", "ann", "bob", "bob"]) void line.ask(name).catch(() => undefined);
  expect(groups()).toEqual(["ann", "bob"]);
  sent[0]?.answer(["A"]);
  await settled();
  sent[1]?.answer(["B"]);
  await settled();
  expect(groups()).toEqual(["ann", "bob", "ann", "bob"]);
  expect(emptied).not.toHaveBeenCalled();
});

test("16 go at most, the others after them", async () => {
  const names = Array.from({ length: 20 }, (_, n) => `u${String(n).padStart(2, "0")}`);
  const { groups, sent } = await groupOf(names);
  expect(groups().at(-1)).toBe(names.slice(0, 16).join(" "));
  sent[1]?.answer(["2"]);
  await settled();
  expect(groups().at(-1)).toBe(names.slice(16).join(" "));
});

test("who has no result is asked again alone, while the line goes on", async () => {
  const { line, groups, sent, asked } = await groupOf(["ann", "bob"]);
  sent[2]?.answer(["A", undefined]);
  expect(await asked[0]).toBe("A");
  expect(groups().slice(2)).toEqual(["ann bob", "bob"]);
  const next = line.ask("cid");
  await settled();
  sent[4]?.answer(["C"]);
  expect(await next).toBe("C");
  sent[3]?.answer(["B"]);
  expect(await asked[1]).toBe("B");
});

test.each(["23505", "22021", "40P01", "55P03", "57014", "MC409"])(
  "after %s everything is undone: each goes again alone, and the guilty one alone fails",
  async (code) => {
    const { groups, sent, asked } = await groupOf(["ann", "bob", "cid"]);
    sent[2]?.fail(withCode(code));
    await settled();
    expect(groups().slice(3)).toEqual(["ann", "bob", "cid"]);
    sent[3]?.answer(["A"]);
    sent[4]?.fail(withCode(code));
    sent[5]?.answer(["C"]);
    const results = await Promise.allSettled(asked);
    expect(
      results.map((result) => (result.status === "fulfilled" ? result.value : result.reason.code)),
    ).toEqual(["A", code, "C"]);
  },
);

test.each([
  ...["ECONNRESET", "ECONNREFUSED", "57P01", "57P03", "53300", "25006", "08006"].map(withCode),
  new Error("Query read timeout"),
  new Error("Connection terminated unexpectedly"),
])("of an outage (%o) all are told, and nothing is sent twice", async (error) => {
  const { groups, sent, asked } = await groupOf(["ann", "bob"]);
  sent[2]?.fail(error);
  const results = await Promise.allSettled(asked);
  expect(results).toEqual(asked.map(() => ({ status: "rejected", reason: error })));
  expect(groups()).toHaveLength(3);
});

test("one that fails alone does not stop the line", async () => {
  const { line, sent, groups } = lineOfNames();
  const lost = line.ask("one");
  void line.ask("two");
  void line.ask("ann");
  sent[0]?.fail(withCode("57P01"));
  await expect(lost).rejects.toThrow("failed");
  await settled();
  expect(groups()).toEqual(["one", "two", "ann"]);
});

test("who has waited as long as for a connection is told so, and is never sent", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { line, sent, groups } = lineOfNames();
  void line.ask("one");
  void line.ask("two");
  const late = line.ask("ann").catch((error: unknown) => error);
  vi.setSystemTime(Date.now() + PATIENCE_MS);
  void line.ask("bob");
  vi.setSystemTime(Date.now() + 1);
  sent[0]?.answer(["1"]);
  const error = await late;
  expect([isOutage(error), neverRan(error)]).toEqual([true, true]);
  await settled();
  expect(groups()).toEqual(["one", "two", "bob"]);
});
