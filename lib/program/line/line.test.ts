import { and, asc, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { batches, codes, offerTakers, outbox, pools, refereesInLine } from "@/lib/platform/db/schema";
import { pauseCampaign, resumeCampaign } from "@/lib/program/campaigns/lifecycle";
import { quarantineBatch, restoreBatch, undoBatch } from "@/lib/program/codes/batch-state";
import { importCodes } from "@/lib/program/codes/import";
import { randomCodeFile } from "@/lib/program/codes/sample-codes";
import { findDoubtfulPools, voidFreeCodes } from "@/lib/program/codes/void-codes";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { exportEndUser } from "@/lib/program/end-users/export";
import { stockOf } from "@/lib/program/stats/stock";
import { updateCampaign } from "@/lib/testing/campaigns";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch, type Tenant, type TenantOptions } from "@/lib/testing/tenant";
import { endPlaces, setAside } from "./line";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

/** An empty pool, `count` referees in line for it, and helpers. */
async function waiting(count: number, options: TenantOptions = {}) {
  const { tenant, api, metacode } = await referringTenant({ codes: 0, ...options });
  const { ctx } = tenant;
  const own = eq(refereesInLine.appId, ctx.app.id);
  /** The code, or the error code; a busy machine may have no connection free for some of so many. */
  const redeem = async (uid: string): Promise<string> => {
    const { status, body } = await api.redeem(uid, metacode);
    if (status === 200) return body.code;
    return body.error.code === "SERVICE_UNAVAILABLE" ? redeem(uid) : body.error.code;
  };
  const line = () => ctx.db.orm.select().from(refereesInLine).where(own).orderBy(asc(refereesInLine.place));
  const upload = (size: number) =>
    importCodes(ctx, {
      poolId: tenant.pools.ios.referee,
      kind: "one_time",
      source: randomCodeFile("ios", size),
    });
  /** Lets the 48 hours of every code that is set aside end now. */
  const pass = () =>
    ctx.db.orm
      .update(refereesInLine)
      .set({ reservedUntil: sql`now()` })
      .where(and(own, sql`code_id is not null`));
  const byStatus = async () => {
    const rows = await ctx.db.orm.select().from(codes).where(eq(codes.appId, ctx.app.id));
    return (status: string) => rows.filter((code) => code.status === status).length;
  };
  for (let n = 0; n < count; n++) expect(await redeem(`early-${n}`)).toBe("NO_CODES_AVAILABLE");
  return { ...tenant, api, metacode, redeem, line, upload, pass, byStatus };
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

describe("a referee who finds the pool empty", () => {
  test("is in line once, and the pool says how many wait, then an import for how many it set codes aside", async () => {
    const app = await waiting(2);
    await Promise.all(names("early", 2).flatMap((uid) => [app.redeem(uid), app.redeem(uid)]));
    expect((await app.line()).map(({ refereeUid }) => refereeUid)).toEqual(["early-0", "early-1"]);
    const pool = (await stockOf(app.ctx)).find(({ id }) => id === app.pools.ios.referee);
    expect(pool?.inLine).toBe(2);
    for (const setAside of [2, 0]) expect(await app.upload(3)).toMatchObject({ imported: 3, setAside });
  });

  test("is not in line beyond what one referrer may bring", async () => {
    const app = await waiting(3, { app: { referrerDailyCap: 2 } });
    expect(await app.line()).toHaveLength(2);
  });
});

test("of 50 in line and 50 newcomers for 20 codes at once, the first 20 in line get them", async () => {
  const app = await waiting(50);
  const newcomers = names("late", 50);
  const [, ...late] = await Promise.all([app.upload(20), ...newcomers.map(app.redeem)]);
  expect(new Set(late)).toEqual(new Set(["NO_CODES_AVAILABLE"]));
  const early = await Promise.all(names("early", 50).map(app.redeem));
  expect(new Set(early.slice(0, 20)).size).toBe(20);
  expect(early.slice(0, 20)).not.toContain("NO_CODES_AVAILABLE");
  expect(new Set(early.slice(20))).toEqual(new Set(["NO_CODES_AVAILABLE"]));
  const ready = await app.ctx.db.orm
    .select()
    .from(outbox)
    .where(and(eq(outbox.appId, app.ctx.app.id), eq(outbox.type, "referral.code_ready")));
  expect(ready).toHaveLength(20);
  expect((await app.byStatus())("assigned")).toBe(20);
  expect(await app.line()).toHaveLength(80);
});

test("a code that is not fetched goes to the next in line, and none is lost between redeems at that time", async () => {
  const app = await waiting(12);
  await app.upload(10);
  // The batch has no free code, which closes it.
  expect(await app.redeem("late")).toBe("NO_CODES_AVAILABLE");
  await app.pass();
  const rivals = names("rival", 8).map(app.redeem);
  await Promise.all([
    ...rivals,
    ...names("early", 4).map(app.redeem),
    endPlaces(app.ctx),
    endPlaces(app.ctx),
  ]);
  await endPlaces(app.ctx);
  for (const uid of names("last", 10)) await app.redeem(uid);
  const status = await app.byStatus();
  expect([status("assigned") + status("reserved"), status("available")]).toEqual([10, 0]);
  const held = (await app.line()).filter(({ codeId }) => codeId);
  expect(held).toHaveLength(status("reserved"));
  for (const { refereeUid } of held) expect(await app.redeem(refereeUid)).not.toBe("NO_CODES_AVAILABLE");
  expect((await app.byStatus())("assigned")).toBe(10);
});

test("a batch that was withdrawn still has its code for the first in line when it returns, however late", async () => {
  const app = await waiting(1);
  const { batchId } = await app.upload(1);
  await quarantineBatch(app.ctx, batchId ?? "");
  expect(await app.redeem("early-0")).toBe("NO_CODES_AVAILABLE");
  await app.pass();
  await endPlaces(app.ctx);
  await restoreBatch(app.ctx, batchId ?? "");
  expect(await app.redeem("late")).toBe("NO_CODES_AVAILABLE");
  expect(await app.redeem("early-0")).not.toBe("NO_CODES_AVAILABLE");
});

test("a batch that is undone releases its reserved codes, and their referees wait for the next", async () => {
  const app = await waiting(2, { campaign: { codeBudget: 2 } });
  const { batchId } = await app.upload(2);
  expect(await undoBatch(app.ctx, batchId ?? "")).toEqual({ deleted: 2, assigned: 0 });
  await app.upload(2);
  for (const uid of names("early", 2)) expect(await app.redeem(uid)).not.toBe("NO_CODES_AVAILABLE");
  expect((await app.byStatus())("assigned")).toBe(2);
});

test("after a restore of the database a code that was set aside is doubtful too", async () => {
  const app = await waiting(1);
  await app.upload(1);
  const doubtful = await findDoubtfulPools(app.ctx.db, new Date(), app.ctx.app.id);
  const pool = doubtful.find(({ poolId }) => poolId === app.pools.ios.referee);
  expect(pool?.free).toBe(1);
  if (pool) expect(await voidFreeCodes(app.ctx.db, pool, new Date())).toBe(1);
  expect(await app.redeem("early-0")).toBe("NO_CODES_AVAILABLE");
  expect(await app.line()).toMatchObject([{ refereeUid: "early-0", codeId: null }]);
});

test("an erased referee leaves the line, and the code goes to the next", async () => {
  const app = await waiting(2);
  await app.upload(1);
  expect((await exportEndUser(app.ctx, "early-0")).places_in_line).toHaveLength(1);
  await eraseEndUser(app.ctx, "early-0");
  expect((await app.line()).map(({ refereeUid }) => refereeUid)).not.toContain("early-0");
  await endPlaces(app.ctx);
  expect(await app.redeem("early-1")).not.toBe("NO_CODES_AVAILABLE");
  const [batch] = await app.ctx.db.orm.select().from(batches).where(eq(batches.appId, app.ctx.app.id));
  expect(batch?.size).toBe(1);
});

describe("codes are set aside", () => {
  /** The referees notified that a code is ready, in the order of the events. */
  const ready = async ({ ctx }: Tenant) => {
    const own = and(eq(outbox.appId, ctx.app.id), eq(outbox.type, "referral.code_ready"));
    const rows = await ctx.db.orm.select().from(outbox).where(own).orderBy(asc(outbox.id));
    return rows.map(({ payload }) => (payload as { referee_uid: string }).referee_uid);
  };

  test("when a paused campaign whose pool was filled meanwhile is resumed", async () => {
    const app = await waiting(2);
    await pauseCampaign(app.ctx, app.campaignId);
    await app.upload(1);
    expect(await ready(app)).toEqual([]);
    await resumeCampaign(app.ctx, app.campaignId);
    expect(await ready(app)).toEqual(["early-0"]);
    expect(await app.redeem("late")).toBe("NO_CODES_AVAILABLE");
    expect(await app.redeem("early-0")).not.toBe("NO_CODES_AVAILABLE");
  });

  test("when the campaign takes its codes from another pool", async () => {
    const app = await waiting(2);
    const { ios } = app.pools;
    const poolId = uuidv7();
    const name = "Other";
    await app.ctx.db.orm
      .insert(pools)
      .values({ appId: app.ctx.app.id, id: poolId, name, platform: "ios", use: "referee" });
    await makeBatch(app.ctx, poolId, "ios", { size: 1 });
    const rules = { threshold: 3, refereePoolId: poolId, rewardPoolId: ios.reward };
    await updateCampaign(app.ctx, app.campaignId, { name: "Launch", platforms: { ios: rules } });
    expect(await ready(app)).toEqual(["early-0"]);
    expect(await app.redeem("late")).toBe("NO_CODES_AVAILABLE");
  });

  test("when the budget of the campaign is raised", async () => {
    const app = await waiting(2, { campaign: { codeBudget: 1 } });
    await app.upload(2);
    expect(await ready(app)).toEqual(["early-0"]);
    const { referee: refereePoolId, reward: rewardPoolId } = app.pools.ios;
    const platforms = { ios: { threshold: 3, refereePoolId, rewardPoolId } };
    await updateCampaign(app.ctx, app.campaignId, { name: "Launch", codeBudget: 2, platforms });
    expect(await ready(app)).toEqual(["early-0", "early-1"]);
  });

  test("for everybody in a long line, although some of them have had the pool's only offer", async () => {
    const app = await waiting(1);
    await app.ctx.db.orm.execute(sql`
      insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place)
      select app_id, campaign_id, 'many-' || n, platform, referrer_id, new_id()
        from referees_in_line, generate_series(1, 600) n where app_id = ${app.ctx.app.id}`);
    await app.ctx.db.orm
      .insert(offerTakers)
      .values({ appId: app.ctx.app.id, platform: "ios", offer: "winter", uid: "early-0" });
    await makeBatch(app.ctx, app.pools.ios.referee, "ios", { size: 650, offer: "winter" });
    expect(await setAside(app.ctx, app.pools.ios.referee)).toBe(600);
    expect((await app.byStatus())("reserved")).toBe(600);
  });

  test("not for a referee who got a code elsewhere meanwhile, and who no longer waits", async () => {
    const app = await waiting(2);
    await makeBatch(app.ctx, app.pools.android.referee, "android", { size: 1 });
    expect((await app.api.redeem("early-0", app.metacode, "android")).status).toBe(200);
    const pool = (await stockOf(app.ctx)).find(({ id }) => id === app.pools.ios.referee);
    expect(pool?.inLine).toBe(1);
    await app.upload(1);
    expect(await ready(app)).toEqual(["early-1"]);
  });

  test("in the order of the pool's offers, those that the referee has had last", async () => {
    const app = await waiting(1);
    const { ctx } = app;
    const poolId = app.pools.android.referee;
    const offers = ["winter", "spring", "autumn"];
    await ctx.db.orm.update(pools).set({ offers }).where(eq(pools.appId, ctx.app.id));
    await ctx.db.orm
      .update(refereesInLine)
      .set({ platform: "android" })
      .where(eq(refereesInLine.appId, ctx.app.id));
    const taken = { appId: ctx.app.id, platform: "android", offer: "winter", uid: "early-0" } as const;
    await ctx.db.orm.insert(offerTakers).values(taken);
    const made = new Map<string, string>();
    for (const [days, offer] of ["winter", "autumn", "spring"].entries()) {
      const expiresAt = new Date(Date.now() + (30 + days) * DAY_MS);
      made.set(offer, await makeBatch(ctx, poolId, "android", { size: 1, offer, expiresAt }));
    }
    expect(await setAside(ctx, poolId)).toBe(1);
    const [reserved] = await ctx.db.orm
      .select()
      .from(codes)
      .where(and(eq(codes.appId, ctx.app.id), eq(codes.status, "reserved")));
    expect(reserved?.batchId).toBe(made.get("spring"));
  });
});
