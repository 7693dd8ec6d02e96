import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { sqlState } from "@/lib/platform/db/outage";
import { campaigns, refereesInLine } from "@/lib/platform/db/schema";
import { activateCampaign, pauseCampaign, resumeCampaign } from "@/lib/program/campaigns/lifecycle";
import { setAsideOverlooked } from "@/lib/program/code-requests/overlooked";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import type { Context } from "@/lib/tenants/context";
import { copyCampaign } from "@/lib/testing/campaigns";
import { onCluster } from "@/lib/testing/database/cluster";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { endPlaces, setAside } from "./line";

useService();

/** Two referees in line of a campaign with a budget, a code set aside for the first, and a draft with the same pools. */
async function lineOfTwo() {
  const { tenant, api, metacode } = await referringTenant({ codes: 0, campaign: { codeBudget: 5 } });
  const { ctx, campaignId: first } = tenant;
  const redeem = async (uid: string) => (await api.redeem(uid, metacode)).status;
  for (const uid of ["ada", "ben"]) expect(await redeem(uid)).toBe(503);
  await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 1 });
  expect(await setAside(ctx, tenant.pools.ios.referee)).toBe(1);
  const second = await copyCampaign(tenant, { status: "draft", activatedAt: null });
  /** The referees in line of the first campaign, and those for whom a code is set aside. */
  const places = async () => {
    const { appId, campaignId, place } = refereesInLine;
    const own = and(eq(appId, ctx.app.id), eq(campaignId, first));
    const rows = await ctx.db.orm.select().from(refereesInLine).where(own).orderBy(asc(place));
    return rows.map(({ refereeUid, codeId }) => (codeId ? `${refereeUid} has a code` : refereeUid));
  };
  const spent = async () => {
    const own = and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, first));
    return (await ctx.db.orm.select().from(campaigns).where(own))[0]?.spentCodes;
  };
  return { tenant, ctx, first, second, redeem, places, spent };
}

/** Lets the 48 hours of each code that is set aside end now. */
const passHours = (ctx: Context) =>
  ctx.db.orm
    .update(refereesInLine)
    .set({ reservedUntil: sql`now()` })
    .where(and(eq(refereesInLine.appId, ctx.app.id), isNotNull(refereesInLine.codeId)));

test.each(["replaced by", "paused before"])(
  "a code that is set aside in a campaign %s another one is free for that one at the next round, and its referee keeps the place",
  async (how) => {
    const { ctx, first, second, redeem, places, spent } = await lineOfTwo();
    expect([await places(), await spent()]).toEqual([["ada has a code", "ben"], 1]);
    if (how === "paused before") await pauseCampaign(ctx, first);
    await activateCampaign(ctx, second, how === "replaced by" ? first : undefined);
    await endPlaces(ctx);
    expect([await places(), await spent()]).toEqual([["ada", "ben"], 0]);
    expect(await redeem("cem")).toBe(200);
  },
);

test("a code that was being set aside while the campaigns changed is free after the next check", async () => {
  const { ctx, first, second, places } = await lineOfTwo();
  await activateCampaign(ctx, second, first);
  // As by a transaction that had begun before and committed after.
  const late = and(eq(refereesInLine.appId, ctx.app.id), eq(refereesInLine.refereeUid, "ada"));
  await ctx.db.orm
    .update(refereesInLine)
    .set({ reservedUntil: sql`now() + interval '48 hours'` })
    .where(late);
  await setAsideOverlooked(ctx);
  await endPlaces(ctx);
  expect(await places()).toEqual(["ada", "ben"]);
});

test("a campaign that replaces another one and is active again sets its codes aside again, in the order of the places", async () => {
  const { ctx, first, second, places } = await lineOfTwo();
  await activateCampaign(ctx, second, first);
  await resumeCampaign(ctx, first, second);
  expect(await places()).toEqual(["ada has a code", "ben"]);
  await endPlaces(ctx);
  expect(await places()).toEqual(["ada has a code", "ben"]);
});

test.each(["campaign", "referrer"])(
  "codes that are set aside outlast the pause of a %s, even if what follows its resuming fails",
  async (what) => {
    const { tenant, ctx, first, second, places } = await lineOfTwo();
    const [place] = await ctx.db.orm
      .select()
      .from(refereesInLine)
      .where(eq(refereesInLine.appId, ctx.app.id));
    const referrerId = place?.referrerId ?? "";
    const busy = await copyCampaign(tenant, { status: "draft", activatedAt: null, codeBudget: 5 });
    if (what === "campaign") await activateCampaign(ctx, second, first);
    else await updateReferrerStatus(ctx, referrerId, "paused");
    await passHours(ctx);
    // Setting aside locks the budgets of all campaigns, and waits for this one until it fails.
    const failed = await ctx.db.transaction(async ({ orm }) => {
      const row = and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, busy));
      await orm.select().from(campaigns).where(row).for("update");
      return what === "campaign"
        ? await resumeCampaign(ctx, first, second).catch(sqlState)
        : await updateReferrerStatus(ctx, referrerId, "active").catch(sqlState);
    });
    // On a cluster the statement's own limit ends the wait.
    expect(failed).toBe(onCluster() ? "57014" : "55P03");
    await endPlaces(ctx);
    expect(await places()).toEqual(["ada has a code", "ben"]);
  },
);
