import { uuidv7 } from "uuidv7";
import { beforeAll, describe, expect, test } from "vitest";
import { referrerQuery } from "@/lib/contract/referrer-list";
import { referrers } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import type { Context } from "@/lib/tenants/context";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { listReferrers } from "./list";

useService();

type New = Partial<typeof referrers.$inferInsert> & { uid: string };

/** Created in this order, so that the last is the newest. */
async function make(ctx: Context, people: New[]): Promise<void> {
  const rows = people.map((person) => {
    const id = uuidv7();
    return { appId: ctx.app.id, id, slug: id.replaceAll("-", ""), ...person };
  });
  for (let n = 0; n < rows.length; n += 5_000) {
    await ctx.db.orm.insert(referrers).values(rows.slice(n, n + 5_000));
  }
}

const list = (ctx: Context, query: Record<string, string> = {}, size?: number) =>
  listReferrers(ctx, referrerQuery.parse(query), size);

/** Uids over all pages. */
async function all(ctx: Context, query: Record<string, string>, size: number): Promise<string[]> {
  const uids: string[] = [];
  let cursor: string | null = "";
  do {
    const page: Awaited<ReturnType<typeof list>> = await list(ctx, { ...query, cursor }, size);
    uids.push(...page.data.map(({ uid }) => uid));
    cursor = page.nextCursor;
  } while (cursor !== null);
  return uids;
}

describe("the list of referrers", () => {
  let ctx: Context;
  beforeAll(async () => {
    ({ ctx } = await makeTenant());
    await make((await makeTenant()).ctx, [{ uid: "ann-elsewhere", metadata: { name: "Ann" } }]);
    await make(ctx, [
      { uid: "ann-1", metadata: { name: "Zoe" } },
      { uid: "bob", metadata: { name: "ANNA %_" }, status: "paused" },
      { uid: "ann-2", metadata: { name: "Ann" } },
      { uid: "cid", slug: "annabel", metadata: { display_name: "Ännchen" } },
      { uid: "dan", metadata: { name: "Anna of Kiel" }, status: "ended" },
      { uid: "eve" },
    ]);
  });

  test("is in order of time, page by page, and knows only this app", async () => {
    const newest = ["eve", "dan", "cid", "ann-2", "bob", "ann-1"];
    expect((await list(ctx)).data.map(({ uid }) => uid)).toEqual(newest);
    expect(await all(ctx, {}, 4)).toEqual(newest);
    expect((await list(ctx, {}, 6)).nextCursor).toBeNull();
  });

  test.each([
    ["the beginning of a uid, then of a name", "ann", ["ann-1", "ann-2", "bob", "dan"]],
    ["a whole uid", "ann-1", ["ann-1"]],
    ["a metacode as it is typed", "Anna-Bel", ["cid"]],
    ["a name in any case", "ANNA OF", ["dan"]],
    ["a name with signs that a pattern would take for others", "anna %_", ["bob"]],
    ["the beginning of a display name", "Ännc", ["cid"]],
    ["the middle of a uid", "nn-1", []],
    ["a referrer of another app", "ann-elsewhere", []],
  ])("finds %s", async (_, q, uids) => {
    expect((await list(ctx, { q })).data.map(({ uid }) => uid)).toEqual(uids);
    expect(await all(ctx, { q }, 1)).toEqual(uids);
  });

  test("is narrowed by status, in a search as well", async () => {
    expect(await all(ctx, { status: "ended" }, 50)).toEqual(["dan"]);
    expect(await all(ctx, { status: "paused", q: "ann" }, 50)).toEqual(["bob"]);
    expect(await all(ctx, { status: "active", q: "ann" }, 50)).toEqual(["ann-1", "ann-2"]);
    expect(await all(ctx, { campaign: uuidv7() }, 50)).toEqual([]);
  });

  test("takes a broken address for the first page", async () => {
    for (const cursor of ["x", "0.x", "9.", Buffer.from('["1","2"]').toString("base64url")]) {
      expect((await list(ctx, { cursor, status: "lost" }, 1)).data[0]?.uid).toBe("eve");
    }
  });
});

test("a rare kind among very many is found without a look at the others", async () => {
  const { ctx } = await makeTenant();
  const many = Array.from({ length: SCAN_ROWS + 10 }, (_, n): New => ({ uid: `u${n}` }));
  await make(ctx, [{ uid: "first", status: "paused" }, ...many]);
  expect(await list(ctx, { status: "paused" })).toMatchObject({
    data: [{ uid: "first" }],
    nextCursor: null,
  });
  const looked = await list(ctx, { q: "u", status: "ended" });
  expect(looked.data).toEqual([]);
  expect(looked.nextCursor).not.toBeNull();
});
