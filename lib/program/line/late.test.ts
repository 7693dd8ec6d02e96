import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import {
  batches,
  campaignPlatforms,
  campaigns,
  codes,
  identityLinks,
  outbox,
  refereesInLine,
  referrers,
} from "@/lib/platform/db/schema";
import { pauseCampaign, resumeCampaign } from "@/lib/program/campaigns/lifecycle";
import { joinUids } from "@/lib/program/end-users/join";
import { createPool } from "@/lib/program/pools/pools";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { blockedBackends } from "@/lib/testing/database/locks";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeBatch, type TenantOptions } from "@/lib/testing/tenant";
import { endPlaces, endTakenPlaces, setAside } from "./line";

useService();

/** Referees in line for empty pools, in the order of `uids`, and helpers. */
async function lineOf(uids: string[], options: TenantOptions = {}) {
  const { tenant, api, metacode } = await referringTenant({ codes: 0, ...options });
  const ctx = asTeamMember(tenant.ctx);
  const own = eq(refereesInLine.appId, ctx.app.id);
  const redeem = async (uid: string, platform: "ios" | "android" = "ios") =>
    (await api.redeem(uid, metacode, platform)).status;
  const add = async (size: number, platform: "ios" | "android" = "ios") => {
    await makeBatch(ctx, tenant.pools[platform].referee, platform, { size });
    return setAside(ctx, tenant.pools[platform].referee);
  };
  /** Each place with its platform, and those with a code. */
  const places = async () => {
    const rows = await ctx.db.orm.select().from(refereesInLine).where(own).orderBy(asc(refereesInLine.place));
    return rows.map((row) => `${row.refereeUid} ${row.platform}${row.codeId ? " has a code" : ""}`);
  };
  /** Lets the 48 hours of each code that is set aside end now. */
  const pass = () =>
    ctx.db.orm
      .update(refereesInLine)
      .set({ reservedUntil: sql`now()` })
      .where(and(own, isNotNull(refereesInLine.codeId)));
  for (const uid of uids) expect(await redeem(uid)).toBe(503);
  return { tenant, ctx, redeem, add, places, pass };
}

test("a referee who redeems after the 48 hours gets the code as long as no round has freed it", async () => {
  const { ctx, redeem, add, places, pass } = await lineOf(["ada", "ben"]);
  await add(1);
  await pass();
  expect([await redeem("ben"), await redeem("ada")]).toEqual([503, 200]);
  await endPlaces(ctx);
  expect(await places()).toEqual(["ben ios"]);
});

test("the end of a pause begins the 48 hours again, with an event once the code can be fetched", async () => {
  const { tenant, ctx, redeem, add } = await lineOf(["ada", "ben"]);
  await add(2);
  const held = and(eq(refereesInLine.appId, ctx.app.id), eq(refereesInLine.refereeUid, "ben"));
  await ctx.db.orm.update(refereesInLine).set({ state: "review", beyond: "codes_per_address" }).where(held);
  const [ann] = await ctx.db.orm.select().from(referrers).where(eq(referrers.appId, ctx.app.id));
  const ready = and(eq(outbox.appId, ctx.app.id), eq(outbox.type, "referral.code_ready"));
  const events = async () => {
    const rows = await ctx.db.orm.select().from(outbox).where(ready).orderBy(asc(outbox.id)).offset(2);
    return rows.map(({ payload }) => payload as { referee_uid: string });
  };
  await pauseCampaign(ctx, tenant.campaignId);
  await updateReferrerStatus(ctx, ann?.id ?? "", "paused");
  await updateReferrerStatus(ctx, ann?.id ?? "", "active");
  expect(await events()).toEqual([]);
  await resumeCampaign(ctx, tenant.campaignId);
  const own = and(eq(refereesInLine.appId, ctx.app.id), eq(refereesInLine.refereeUid, "ada"));
  const [place] = await ctx.db.orm.select().from(refereesInLine).where(own);
  const until = place?.reservedUntil?.toISOString();
  expect(await events()).toMatchObject([{ referee_uid: "ada", reserved_until: until }]);
  await updateReferrerStatus(ctx, ann?.id ?? "", "paused");
  await updateReferrerStatus(ctx, ann?.id ?? "", "active");
  expect((await events()).map(({ referee_uid }) => referee_uid)).toEqual(["ada", "ada"]);
  expect(await redeem("ada")).toBe(200);
});

test("of two places of ids that are joined one ends, in a campaign with a start and a batch that expires soon, too", async () => {
  const startsAt = new Date(Date.now() - 30 * 86_400_000);
  const { ctx, add, places } = await lineOf(["old", "new"], { campaign: { startsAt } });
  await add(2);
  const expiresAt = sql`now() + interval '30 hours'`;
  await ctx.db.orm.update(batches).set({ expiresAt }).where(eq(batches.appId, ctx.app.id));
  await joinUids(ctx, { uid: "old", otherUid: "new", reason: "Reinstalled", keepApart: "true" });
  await endPlaces(ctx);
  expect(await places()).toEqual(["old ios has a code"]);
});

test("a late code passes a spent budget and the cap of the referrer, as within the 48 hours", async () => {
  const { ctx, redeem, add, pass } = await lineOf(["ada"], {
    campaign: { codeBudget: 1 },
    app: { referrerDailyCap: 1 },
  });
  await add(1);
  await pass();
  expect(await redeem("ada")).toBe(200);
  const [campaign] = await ctx.db.orm.select().from(campaigns).where(eq(campaigns.appId, ctx.app.id));
  expect(campaign?.spentCodes).toBe(1);
});

test("of redeems and rounds at the end of the 48 hours each code has one winner, and none is lost", async () => {
  const uids = Array.from({ length: 8 }, (_, n) => `early-${n}`);
  const { ctx, redeem, add, pass } = await lineOf(uids);
  await add(8);
  await pass();
  await Promise.all([...uids.map((uid) => redeem(uid)), endPlaces(ctx), endPlaces(ctx), redeem("late")]);
  await endPlaces(ctx);
  const ofApp = eq(codes.appId, ctx.app.id);
  const rows = await ctx.db.orm.select().from(codes).where(ofApp);
  const places = await ctx.db.orm.select().from(refereesInLine).where(eq(refereesInLine.appId, ctx.app.id));
  const reserved = rows.filter(({ status }) => status === "reserved").map(({ id }) => id);
  expect(places.flatMap(({ codeId }) => codeId ?? []).sort()).toEqual(reserved.sort());
  const winners = rows.filter(({ status }) => status === "assigned").map((code) => code.redeemedByUid);
  expect(new Set(winners).size).toBe(winners.length);
});

test("a code whose time a join has ended is not assigned late beside the other code of the person", async () => {
  for (const type of ["by hand", "ALIAS"]) {
    const { ctx, redeem, add } = await lineOf(["old", "new"]);
    await add(2);
    const link = { appId: ctx.app.id, fromUid: "old", toUid: "new", type, eventId: uuidv7() };
    if (type === "ALIAS") await ctx.db.orm.insert(identityLinks).values(link);
    else await joinUids(ctx, { uid: "new", otherUid: "old", reason: "Reinstalled", keepApart: "true" });
    await endTakenPlaces(ctx);
    expect([await redeem("new"), await redeem("old")]).toEqual([200, 503]);
  }
});

test("a referee who redeems on the other platform waits there in the same place, and the code goes to the next", async () => {
  const { ctx, redeem, add, places } = await lineOf(["ada", "ben", "cem"]);
  await add(1);
  expect(await redeem("cem", "android")).toBe(503);
  expect(await redeem("ada", "android")).toBe(503);
  await endPlaces(ctx);
  expect(await places()).toEqual(["ada android", "ben ios has a code", "cem android"]);
  await add(1, "android");
  expect(await places()).toEqual(["ada android has a code", "ben ios has a code", "cem android"]);
  expect([await redeem("ada", "android"), await redeem("ben")]).toEqual([200, 200]);
});

test("a referee who is back on the first platform before the next round gets the code there", async () => {
  const { redeem, add, places } = await lineOf(["ada"]);
  await add(1);
  expect(await redeem("ada", "android")).toBe(503);
  expect(await redeem("ada")).toBe(200);
  expect(await places()).toEqual([]);
});

test("a joined id that redeems on the other platform takes the place along there", async () => {
  const { ctx, redeem, add, places } = await lineOf(["old", "ben"]);
  await add(1);
  await joinUids(ctx, { uid: "new", otherUid: "old", reason: "Reinstalled", keepApart: "true" });
  expect(await redeem("new", "android")).toBe(503);
  await endPlaces(ctx);
  expect(await places()).toEqual(["new android", "ben ios has a code"]);
});

test("a code of the other platform does not pass the cap of the referrer", async () => {
  const { tenant, ctx, redeem, add } = await lineOf(["ada"], { app: { referrerDailyCap: 1 } });
  await add(1);
  expect(await redeem("ada", "android")).toBe(503);
  await makeBatch(ctx, tenant.pools.android.referee, "android", { size: 2 });
  expect([await redeem("cem", "android"), await redeem("ada", "android")]).toEqual([200, 409]);
  expect(await redeem("ada")).toBe(200);
});

test("codes that were being set aside while the campaign chose another pool are found", async () => {
  const { tenant, ctx, redeem } = await lineOf(["ada"]);
  const [ada] = await ctx.db.orm.select().from(refereesInLine).where(eq(refereesInLine.appId, ctx.app.id));
  await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 1 });
  const [code] = await ctx.db.orm.select().from(codes).where(eq(codes.appId, ctx.app.id));
  const { id: refereePoolId } = await createPool(ctx, { platform: "ios", use: "referee", name: "Next" });
  const { setting } = await ctx.db.transaction(async ({ orm }) => {
    // The key of this place makes the other transaction wait once it has chosen the code.
    const other = {
      ...ada,
      campaignId: uuidv7(),
      place: uuidv7(),
      codeId: code?.id,
      reservedUntil: new Date(),
    };
    await orm.insert(refereesInLine).values(other as typeof refereesInLine.$inferInsert);
    const setting = setAside(ctx, tenant.pools.ios.referee);
    await Promise.race([setting, blockedBackends()]);
    const onIos = and(eq(campaignPlatforms.appId, ctx.app.id), eq(campaignPlatforms.platform, "ios"));
    await ctx.db.orm.update(campaignPlatforms).set({ refereePoolId }).where(onIos);
    await orm.delete(refereesInLine).where(eq(refereesInLine.campaignId, other.campaignId));
    return { setting };
  });
  expect([await setting, await redeem("ada")]).toEqual([1, 200]);
});
