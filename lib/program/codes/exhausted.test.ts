import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { type Db, database } from "@/lib/platform/db/client";
import { batches, campaigns, codes, offerTakers, outbox } from "@/lib/platform/db/schema";
import { copyCampaign } from "@/lib/testing/campaigns";
import { blockedBackends } from "@/lib/testing/database/locks";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch, type Tenant } from "@/lib/testing/tenant";

useService();

const exhaustedIn = ({ ctx }: Tenant) => and(eq(outbox.appId, ctx.app.id), eq(outbox.type, "pool.exhausted"));

test.each([
  ["has expired", -1],
  ["expires within the safety margin", 23],
])(
  "pool.exhausted comes once a request finds no code left, although a batch that %s has some",
  async (_, hours) => {
    const { tenant, api, metacode } = await referringTenant({ codes: 1 });
    const expiresAt = new Date(Date.now() + hours * 3_600_000);
    await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: 3, expiresAt });
    const emitted = () => tenant.ctx.db.orm.$count(outbox, exhaustedIn(tenant));
    expect((await api.redeem("bob", metacode)).status).toBe(200);
    expect(await emitted()).toBe(0);
    for (const uid of ["cat", "dan"]) expect((await api.redeem(uid, metacode)).status).toBe(503);
    expect(await emitted()).toBe(1);
  },
);

test("pool.exhausted does not come while another campaign of a smaller safety margin has codes left", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 1 });
  const { ctx, pools: made } = tenant;
  const expiresAt = new Date(Date.now() + 20 * 3_600_000);
  await makeBatch(ctx, made.ios.referee, "ios", { size: 1, expiresAt });
  const other = await copyCampaign(tenant, { type: "influencer", safetyMarginHours: 0 });
  for (const uid of ["bob", "cat"]) await api.redeem(uid, metacode);
  expect(await ctx.db.orm.$count(outbox, exhaustedIn(tenant))).toBe(0);
  await ctx.db.orm.update(campaigns).set({ status: "ended" }).where(eq(campaigns.id, other));
  await makeBatch(ctx, made.ios.referee, "ios", { size: 0 });
  await api.redeem("dan", metacode);
  expect(await ctx.db.orm.$count(outbox, exhaustedIn(tenant))).toBe(1);
});

test("pool.exhausted comes although two requests found the last two batches empty at once", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx, pools: made } = tenant;
  const poolId = made.ios.referee;
  const empty = await Promise.all([1, 2].map(() => makeBatch(ctx, poolId, "ios", { size: 0 })));
  const [first = "", second = ""] = empty.sort();
  const mark = (db: Db, batchId: string) =>
    db.orm.execute(sql`select mark_drained(${ctx.app.id}, ${poolId}, ${batchId})`);
  await database().transaction(async (db) => {
    await mark(db, first);
    await mark(database(), second);
  });
  for (const uid of ["bob", "cat"]) expect((await api.redeem(uid, metacode)).status).toBe(503);
  expect(await ctx.db.orm.$count(outbox, exhaustedIn(tenant))).toBe(1);
});

test("a batch whose last code becomes free while a request finds it empty stays open", async () => {
  const { tenant } = await referringTenant({ codes: 0 });
  const { ctx, pools: made } = tenant;
  const id = await makeBatch(ctx, made.ios.referee, "ios", { size: 1 });
  const own = eq(codes.batchId, id);
  await ctx.db.orm.update(codes).set({ status: "reserved" }).where(own);
  const mark = async () =>
    ctx.db.orm.execute(sql`select mark_drained(${ctx.app.id}, ${made.ios.referee}, ${id})`);
  const { marked } = await database().transaction(async (db) => {
    // The request has looked for codes, and waits here before it locks the batch.
    await db.orm.execute(sql`lock table batches in access exclusive mode`);
    const marked = mark();
    await blockedBackends();
    await db.orm.update(codes).set({ status: "available" }).where(own);
    return { marked };
  });
  await marked;
  const [batch] = await ctx.db.orm.select({ state: batches.state }).from(batches).where(eq(batches.id, id));
  expect(batch?.state).toBe("ready");
});

test("an end user who has had an offer locks no code of it, for which another would wait", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 1, offer: "spring" });
  const { ctx, pools } = tenant;
  const taken = { appId: ctx.app.id, platform: "ios", offer: "spring", uid: "had" } as const;
  await ctx.db.orm.insert(offerTakers).values(taken);
  await database().transaction(async ({ orm }) => {
    const take = sql`select take_code(${ctx.app.id}, ${pools.ios.referee}, 'ios', 'had', '0', new_id(), null, true, '{}')`;
    expect((await orm.execute(take)).rows).toEqual([{ take_code: null }]);
    const redeem = api.redeem("bob", metacode).then(({ status }) => status);
    expect(await Promise.race([redeem, blockedBackends()])).toBe(200);
  });
});
