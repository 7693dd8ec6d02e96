import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { PersonFacts } from "@/components/person/facts";
import { AGAIN_LABELS } from "@/lib/contract/person";
import { getPerson } from "@/lib/outward/person/get";
import { LOOK_S, watchApp } from "@/lib/outward/problems/watch";
import { campaigns, outbox, refereesInLine } from "@/lib/platform/db/schema";
import { pauseCampaign, resumeCampaign } from "@/lib/program/campaigns/lifecycle";
import { overlookedPools, setAsideOverlooked } from "@/lib/program/code-requests/overlooked";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";
import { endPlaces, setAside } from "./line";

useService();

/** Referees in line of a campaign, whose start can be moved. */
async function lineOf(...uids: string[]) {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const ctx = asTeamMember(tenant.ctx);
  const poolId = tenant.pools.ios.referee;
  const own = eq(refereesInLine.appId, ctx.app.id);
  const redeem = async (uid: string) => (await api.redeem(uid, metacode)).body.error?.code ?? 200;
  const add = async (size: number) => {
    await makeBatch(ctx, poolId, "ios", { size });
    return setAside(ctx, poolId);
  };
  /** Moves the start to the given number of seconds from now. */
  const startIn = (seconds: number) =>
    ctx.db.orm
      .update(campaigns)
      .set({ startsAt: sql`now() + make_interval(secs => ${seconds})` })
      .where(and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, tenant.campaignId)));
  const places = async () => {
    const rows = await ctx.db.orm.select().from(refereesInLine).where(own).orderBy(asc(refereesInLine.place));
    return rows.map(({ refereeUid, codeId }) => refereeUid + (codeId ? " has a code" : ""));
  };
  /** Lets the 48 hours of the codes that are set aside end now. */
  const pass = () =>
    ctx.db.orm
      .update(refereesInLine)
      .set({ reservedUntil: sql`now()` })
      .where(and(own, isNotNull(refereesInLine.codeId)));
  const announced = () =>
    ctx.db.orm.$count(outbox, and(eq(outbox.appId, ctx.app.id), eq(outbox.type, "referral.code_ready")));
  for (const uid of uids) expect(await redeem(uid)).toBe("NO_CODES_AVAILABLE");
  return { tenant, ctx, redeem, add, startIn, places, pass, announced };
}

const HOUR = 3_600;

test("no code is set aside before the start of a campaign, and the first in line get them at the start", async () => {
  const { tenant, ctx, redeem, add, startIn, places, announced } = await lineOf("ada", "ben");
  await pauseCampaign(ctx, tenant.campaignId);
  await startIn(HOUR);
  await resumeCampaign(ctx, tenant.campaignId);
  expect([await add(1), await overlookedPools(ctx), await announced()]).toEqual([0, [], 0]);
  expect(await redeem("ada")).toBe("CAMPAIGN_INACTIVE");
  await startIn(0);
  await setAsideOverlooked(ctx);
  expect([await places(), await announced()]).toEqual([["ada has a code", "ben"], 1]);
  expect([await redeem("cem"), await redeem("ada")]).toEqual(["NO_CODES_AVAILABLE", 200]);
});

test("a place outlasts a code whose 48 hours end before the start of the campaign, or had begun before it", async () => {
  const { ctx, add, startIn, places, pass } = await lineOf("ada", "ben");
  await add(1);
  await startIn(HOUR);
  await pass();
  await endPlaces(ctx);
  expect(await places()).toEqual(["ada", "ben"]);
  await startIn(0);
  await setAsideOverlooked(ctx);
  expect(await places()).toEqual(["ada has a code", "ben"]);
  // The start was an hour before the end of the 48 hours.
  await pass();
  await startIn(-HOUR);
  await endPlaces(ctx);
  expect(await places()).toEqual(["ada has a code", "ben"]);
  // The referee had all of the 48 hours.
  await pass();
  await startIn(-49 * HOUR);
  await endPlaces(ctx);
  expect(await places()).toEqual(["ben has a code"]);
});

test("no code is set aside for a campaign whose end has passed, before a round ends it", async () => {
  const { tenant, ctx, add, announced } = await lineOf("ada");
  await ctx.db.orm.update(campaigns).set({ endsAt: sql`now()` }).where(eq(campaigns.id, tenant.campaignId));
  expect([await add(1), await announced()]).toEqual([0, 0]);
});

test("an app is looked at when a campaign of it starts, and once more soon after", async () => {
  const { ctx, startIn } = await lineOf();
  // The first call starts alerts, which schedule a check soon, too.
  await watchApp(ctx);
  for (const [start, least, most] of [
    [30 * HOUR, LOOK_S, LOOK_S],
    [HOUR, HOUR - 60, HOUR],
    [2, 0.01, 2],
    [-30, 60, 60],
    [-90, LOOK_S, LOOK_S],
  ] as const) {
    await startIn(start);
    const seconds = await watchApp(ctx);
    expect(seconds).toBeGreaterThanOrEqual(least);
    expect(seconds).toBeLessThanOrEqual(most);
  }
});

test("the page of a user says that the campaign has not started, for a place in line and a released redemption", async () => {
  const { ctx, redeem, add, startIn } = await lineOf("ada", "ben");
  await add(1);
  expect(await redeem("ada")).toBe(200);
  await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, "ada"), reason: "Wrong friend" });
  await startIn(HOUR);
  const [ada, ben] = await Promise.all(["ada", "ben"].map((uid) => getPerson(ctx, uid)));
  if (!ben) throw new Error("ben is unknown");
  expect(ada?.undone).toMatchObject([{ mayRedeem: "started" }]);
  expect(AGAIN_LABELS.started).toContain("once the campaign has started");
  expect(ben.places).toMatchObject([{ closed: "campaign_scheduled" }]);
  expect(renderToStaticMarkup(createElement(PersonFacts, { base: "", person: ben }))).toContain(
    "has not started yet",
  );
});
