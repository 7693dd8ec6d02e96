import { sql } from "drizzle-orm";
import pg from "pg";
import { uuidv7 } from "uuidv7";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { referrerQuery } from "@/lib/contract/referrer-list";
import { database } from "@/lib/platform/db/client";
import { referrers } from "@/lib/platform/db/schema";
import { SCAN_ROWS } from "@/lib/platform/db/walk";
import type { Context } from "@/lib/tenants/context";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { exportReferrers } from "./export";
import { listReferrers } from "./list";

useService();

type New = Partial<typeof referrers.$inferInsert> & { uid: string };

/** Creates referrers in this order, so that the last is the newest. */
async function make(ctx: Context, added: New[]): Promise<void> {
  const rows = added.map((person) => {
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
    expect(await all(ctx, { q: "https://links.example.com/r/annabel" }, 50)).toEqual(["cid"]);
    expect(await all(ctx, { campaign: uuidv7() }, 50)).toEqual([]);
  });

  test("is in the order of confirmed referrals, page by page, of one app, campaign or status", async () => {
    const { ctx: own } = await makeTenant();
    const campaignId = uuidv7();
    await make((await makeTenant()).ctx, [{ uid: "elsewhere", confirmed: 9 }]);
    await make(own, [
      { uid: "two", confirmed: 2 },
      { uid: "none" },
      { uid: "ten", confirmed: 10, status: "paused" },
      { uid: "five", confirmed: 5, campaignId },
      { uid: "idle", campaignId },
      { uid: "two-later", confirmed: 2, campaignId },
    ]);
    const sort = { sort: "confirmed" };
    const best = ["ten", "five", "two-later", "two"];
    for (const size of [1, 2, 3, 50]) expect(await all(own, sort, size)).toEqual(best);
    expect(await all(own, { ...sort, campaign: campaignId }, 2)).toEqual(["five", "two-later", "idle"]);
    expect(await all(own, { ...sort, status: "paused" }, 1)).toEqual(["ten"]);
    expect(await all(own, { ...sort, campaign: "none" }, 1)).toEqual(["ten", "two"]);
    expect(await all(own, { ...sort, q: "t" }, 1)).toEqual(["ten", "two", "two-later"]);
    const file: (string | undefined)[] = [];
    for await (const { uid } of await exportReferrers(own, referrerQuery.parse(sort))) file.push(uid);
    expect(file.sort()).toEqual(["five", "idle", "none", "ten", "two", "two-later"]);
  });

  test("takes a broken address for the first page", async () => {
    for (const cursor of ["x", "0.x", "9.", Buffer.from('["1","2"]').toString("base64url")]) {
      expect((await list(ctx, { cursor, status: "lost" }, 1)).data[0]?.uid).toBe("eve");
    }
  });
});

test("the best among very many are read from an index, without a look at the others", async () => {
  const { ctx } = await makeTenant();
  const campaignId = uuidv7();
  for (let from = 0; from < 20_000; from += 2_000) {
    await database().orm.execute(sql`
      insert into referrers (app_id, id, uid, slug, campaign_id, confirmed)
      select ${ctx.app.id}, gen_random_uuid(), 'u' || n, 'best' || n, ${campaignId}, n % 1000
        from generate_series(${from + 1}::int, ${from + 2_000}::int) n`);
  }
  await database().orm.execute(sql`analyze referrers`);
  for (const [index, query] of [
    ["referrers_best", { sort: "confirmed" }],
    ["referrers_campaign_best", { sort: "confirmed", campaign: campaignId }],
  ] as const) {
    const { nextCursor } = await list(ctx, query);
    for (const cursor of ["", nextCursor ?? ""]) {
      const plan = await planOf(() => list(ctx, { ...query, cursor }));
      expect(plan, plan).toMatch(
        new RegExp(`Index Scan Backward using ${index}(_\\d+)? .*actual rows=(50|51)`),
      );
      expect(plan, plan).not.toMatch(/Sort|Seq Scan/);
    }
  }
});

/** The plan of the statement that reads referrers, with the numbers of rows read. */
async function planOf(work: () => Promise<unknown>): Promise<string> {
  const spy = vi.spyOn(pg.Client.prototype, "query");
  await work();
  const calls = spy.mock.calls as unknown as [{ text?: string }, unknown[]][];
  const [query, values] = calls.find(([{ text }]) => text?.includes('from "referrers"')) ?? [];
  spy.mockRestore();
  const { rows } = await database().pool.query(
    `explain (analyze, costs off, timing off, summary off, buffers off) ${query?.text}`,
    values,
  );
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

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
