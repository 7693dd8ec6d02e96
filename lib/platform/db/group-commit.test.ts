import { afterEach, expect, test, vi } from "vitest";
import { isOutage, neverRan } from "@/lib/platform/db/outage";
import { env } from "@/lib/platform/env";
import { GroupCommit } from "./group-commit";

afterEach(() => vi.useRealTimers());

/** A statement that the group commit has sent; the test answers it. */
interface Sent {
  items: readonly string[];
  answer(results: (string | undefined)[]): void;
  fail(error: Error): void;
}

/** A group commit of names; `Ann:x` has the conflict keys `Ann` and `x`. */
function commitOfNames() {
  const sent: Sent[] = [];
  const onEmpty = vi.fn();
  const send = (items: readonly string[]) =>
    new Promise<(string | undefined)[]>((answer, fail) => sent.push({ items, answer, fail }));
  const commit = new GroupCommit<string, string>({
    runAlone: async (item) => (await send([item]))[0] ?? "",
    runTogether: send,
    conflictKeys: (item) => item.split(":") as [string, ...string[]],
    onEmpty,
  });
  return { commit, sent, onEmpty, groups: () => sent.map(({ items }) => items.join(" ")) };
}

/** Resolves after all work that waits only for promises. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A group commit with both slots in use and `names` waiting; their first group has just been sent. */
async function groupOf(names: string[]) {
  const own = commitOfNames();
  const { commit, sent } = own;
  const busy = [commit.run("one"), commit.run("two")];
  const pending = names.map((name) => commit.run(name));
  for (const result of pending) result.catch(() => undefined);
  sent[0]?.answer(["1"]);
  await settled();
  return { ...own, pending, busy };
}

const withCode = (code: string) => Object.assign(new Error("failed"), { code });

test("an item that finds a free slot runs at once and alone, the others run together", async () => {
  const { groups, pending, sent, busy, onEmpty } = await groupOf(["cid", "ann", "bob"]);
  expect(groups()).toEqual(["one", "two", "ann bob cid"]);
  sent[2]?.answer(["A", "B", "C"]);
  expect(await Promise.all(pending)).toEqual(["C", "A", "B"]);
  expect(onEmpty).not.toHaveBeenCalled();
  sent[1]?.answer(["2"]);
  expect(await Promise.all(busy)).toEqual(["1", "2"]);
  await settled();
  expect(onEmpty).toHaveBeenCalledOnce();
});

test("items whose statements would wait for each other run one statement at a time", async () => {
  const sent: Sent[] = [];
  let serial = false;
  const send = (items: readonly string[]) =>
    new Promise<(string | undefined)[]>((answer, fail) => sent.push({ items, answer, fail }));
  const commit = new GroupCommit<string, string>({
    runAlone: async (item) => (await send([item]))[0] ?? "",
    runTogether: send,
    conflictKeys: (item) => [item],
    serial: () => serial,
    onEmpty: () => undefined,
  });
  const results = [commit.run("one"), commit.run("two")];
  serial = true;
  for (const name of ["ann", "bob", "cid"]) results.push(commit.run(name));
  sent[0]?.answer(["1"]);
  await settled();
  expect(sent).toHaveLength(2);
  sent[1]?.answer(["2"]);
  await settled();
  expect(sent.map(({ items }) => items.join(" "))).toEqual(["one", "two", "ann bob cid"]);
  results.push(commit.run("dan"));
  expect(sent).toHaveLength(3);
  sent[2]?.answer(["A", "B", "C"]);
  await settled();
  sent[3]?.answer(["D"]);
  expect(await Promise.all(results)).toEqual(["1", "2", "A", "B", "C", "D"]);
});

test("an item that waits alone runs alone", async () => {
  const { commit, sent, groups, pending } = await groupOf(["ann"]);
  expect(groups()).toEqual(["one", "two", "ann"]);
  void commit.run("bob");
  sent[2]?.answer(["A"]);
  expect(await pending[0]).toBe("A");
  await settled();
  expect(groups()).toEqual(["one", "two", "ann", "bob"]);
});

test("no two running items share a conflict key; the second waits until the first is done", async () => {
  const { groups, sent } = await groupOf(["ann", "bob:key", "ann", "cid:key", "dan", "two"]);
  expect(groups()).toEqual(["one", "two", "ann bob:key dan"]);
  sent[1]?.answer(["2"]);
  await settled();
  expect(groups().slice(3)).toEqual(["two"]);
  sent[2]?.fail(withCode("ECONNRESET"));
  await settled();
  expect(groups().slice(4)).toEqual(["ann cid:key"]);
});

test("a slot that no item could take is used when the others are done", async () => {
  const { commit, sent, groups, onEmpty } = commitOfNames();
  for (const name of ["ann", "ann", "bob", "bob"]) void commit.run(name).catch(() => undefined);
  expect(groups()).toEqual(["ann", "bob"]);
  sent[0]?.answer(["A"]);
  await settled();
  sent[1]?.answer(["B"]);
  await settled();
  expect(groups()).toEqual(["ann", "bob", "ann", "bob"]);
  expect(onEmpty).not.toHaveBeenCalled();
});

test("16 run at most, the others after them", async () => {
  const names = Array.from({ length: 20 }, (_, n) => `u${String(n).padStart(2, "0")}`);
  const { groups, sent } = await groupOf(names);
  expect(groups().at(-1)).toBe(names.slice(0, 16).join(" "));
  sent[1]?.answer(["2"]);
  await settled();
  expect(groups().at(-1)).toBe(names.slice(16).join(" "));
});

test("an item without a result runs again alone, while the next ones run", async () => {
  const { commit, groups, sent, pending } = await groupOf(["ann", "bob"]);
  sent[2]?.answer(["A", undefined]);
  expect(await pending[0]).toBe("A");
  expect(groups().slice(2)).toEqual(["ann bob", "bob"]);
  const next = commit.run("cid");
  await settled();
  sent[4]?.answer(["C"]);
  expect(await next).toBe("C");
  sent[3]?.answer(["B"]);
  expect(await pending[1]).toBe("B");
});

test.each(["23505", "22021", "40P01", "55P03", "57014", "MC409"])(
  "after %s everything is undone: each runs again alone, and only the guilty one fails",
  async (code) => {
    const { groups, sent, pending } = await groupOf(["ann", "bob", "cid"]);
    sent[2]?.fail(withCode(code));
    await settled();
    expect(groups().slice(3)).toEqual(["ann", "bob", "cid"]);
    sent[3]?.answer(["A"]);
    sent[4]?.fail(withCode(code));
    sent[5]?.answer(["C"]);
    const results = await Promise.allSettled(pending);
    expect(
      results.map((result) => (result.status === "fulfilled" ? result.value : result.reason.code)),
    ).toEqual(["A", code, "C"]);
  },
);

test.each([
  ...["ECONNRESET", "ECONNREFUSED", "57P01", "57P03", "53300", "25006", "08006"].map(withCode),
  new Error("Query read timeout"),
  new Error("Connection terminated unexpectedly"),
])("an outage (%o) fails all of them, and nothing is sent twice", async (error) => {
  const { groups, sent, pending } = await groupOf(["ann", "bob"]);
  sent[2]?.fail(error);
  const results = await Promise.allSettled(pending);
  expect(results).toEqual(pending.map(() => ({ status: "rejected", reason: error })));
  expect(groups()).toHaveLength(3);
});

test("an item that fails alone does not stop the others", async () => {
  const { commit, sent, groups } = commitOfNames();
  const lost = commit.run("one");
  void commit.run("two");
  void commit.run("ann");
  sent[0]?.fail(withCode("57P01"));
  await expect(lost).rejects.toThrow("failed");
  await settled();
  expect(groups()).toEqual(["one", "two", "ann"]);
});

test("an item that has waited as long as for a connection fails and is never sent", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { commit, sent, groups } = commitOfNames();
  void commit.run("one");
  void commit.run("two");
  const late = commit.run("ann").catch((error: unknown) => error);
  vi.advanceTimersByTime(env().DATABASE_WAIT_MS);
  void commit.run("bob");
  vi.advanceTimersByTime(1);
  sent[0]?.answer(["1"]);
  const error = await late;
  expect([isOutage(error), neverRan(error)]).toEqual([true, true]);
  await settled();
  expect(groups()).toEqual(["one", "two", "bob"]);
});
