import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { nextStep } from "@/lib/contract/integration-check";
import { detect } from "@/lib/outward/problems/detect";
import { watchApp } from "@/lib/outward/problems/watch";
import { alerts, batches, campaignPlatforms, campaigns, pools } from "@/lib/platform/db/schema";
import { endCampaign, pauseCampaign, resumeCampaign } from "@/lib/program/campaigns/lifecycle";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import type { Context } from "@/lib/tenants/context";
import { copyCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { refer } from "@/lib/testing/confirm";
import { problemsOf, soundApp, withProvider } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

const leavePlatform = ({ db, app }: Context, platform: "ios" | "android") =>
  db.orm
    .delete(campaignPlatforms)
    .where(and(eq(campaignPlatforms.appId, app.id), eq(campaignPlatforms.platform, platform)));

describe("campaigns", () => {
  test("are urgent once none is active, until one is active again", async () => {
    const app = await soundApp();
    const { ctx, campaignId } = app;
    const expectNone = async (state: string) =>
      expect(await detect(ctx)).toMatchObject([
        { severity: "critical", kind: "campaign", title: `No campaign is active: ${state}` },
      ]);
    await copyCampaign(app, { name: "Autumn", status: "ended" });
    await pauseCampaign(ctx, campaignId);
    await expectNone("“Autumn” has ended");
    await resumeCampaign(ctx, campaignId);
    await pauseCampaign(ctx, campaignId);
    await expectNone("“Launch” is paused");
    await endCampaign(ctx, campaignId);
    await expectNone("“Launch” has ended");
    const [problem] = await detect(ctx);
    const reader = { appId: ctx.app.id, workspaceId: ctx.workspace.id, role: "support" as const };
    expect(problem && nextStep(problem, reader).label).toBe("Ask a member to activate a campaign");
    await copyCampaign(app, { type: "influencer" });
    expect((await problemsOf(ctx)).filter(([severity]) => severity === "critical")).toEqual([]);
  });

  test("that were never active are a hint once there are codes, and nothing before", async () => {
    const { ctx, campaignId } = await soundApp();
    await ctx.db.orm
      .update(campaigns)
      .set({ status: "draft", activatedAt: null })
      .where(eq(campaigns.id, campaignId));
    expect(await problemsOf(ctx)).toEqual([["hint", "campaign", "none active"]]);
    await ctx.db.orm.delete(batches).where(eq(batches.appId, ctx.app.id));
    expect(await detect(ctx)).toEqual([]);
  });

  test("lack a pool of an active one: a missing referee pool is urgent, a missing reward pool is not yet", async () => {
    const { ctx, campaignId } = await soundApp();
    const set = (values: object) =>
      ctx.db.orm
        .update(campaignPlatforms)
        .set(values)
        .where(and(eq(campaignPlatforms.appId, ctx.app.id), eq(campaignPlatforms.platform, "ios")));
    await set({ refereePoolId: null });
    expect(await problemsOf(ctx)).toEqual([["critical", "campaign", `${campaignId} ios referee`]]);
    await set({ rewardPoolId: null });
    expect(await problemsOf(ctx)).toEqual([
      ["critical", "campaign", `${campaignId} ios referee`],
      ["warning", "campaign", `${campaignId} ios reward`],
    ]);
  });

  test("do not run on a platform that their links lead to", async () => {
    const { ctx, campaignId } = await soundApp();
    await leavePlatform(ctx, "android");
    const problems = await detect(ctx);
    expect(problems).toMatchObject([
      { severity: "warning", kind: "campaign", subject: `${campaignId} android link` },
    ]);
    expect(problems[0]?.title).toBe("The campaign “Launch” does not run on Android, where the app is");
    expect(await detect({ ...ctx, app: { ...ctx.app, androidPackage: null } })).toEqual([]);
  });
});

describe("earned rewards that cannot be claimed", () => {
  /** Anna has earned `count` rewards on iOS. */
  async function earned(count: number, options: { offer?: string } = {}) {
    const tenant = await withProvider(await makeTenant({ codes: 60, threshold: 1, ...options }));
    const api = clientOf(tenant.key);
    const { metacode } = (await api.referrer("anna")).body;
    await refer(tenant, metacode, count);
    return { ...tenant, api, ios: tenant.pools.ios };
  }
  const drop = (ctx: Context, poolId: string) =>
    ctx.db.orm.update(batches).set({ state: "undone" }).where(eq(batches.poolId, poolId));

  test("are no problem while the pool has codes for them", async () => {
    const { ctx } = await earned(2);
    expect(await detect(ctx)).toEqual([]);
  });

  test("make an empty pool report how many wait, even after the campaign", async () => {
    const { ctx, ios, campaignId } = await earned(2);
    await drop(ctx, ios.reward);
    const empty = {
      severity: "critical",
      subject: `${ios.reward} empty`,
      detail: expect.stringContaining("2 rewards are waiting for them"),
    };
    expect((await detect(ctx)).find(({ subject }) => subject.endsWith("empty"))).toMatchObject(empty);
    await endCampaign(ctx, campaignId);
    expect((await detect(ctx)).find(({ subject }) => subject.endsWith("empty"))).toMatchObject(empty);
    // Unclaimed rewards are lost with the person.
    await eraseEndUser(ctx, "anna");
    expect(JSON.stringify(await detect(ctx))).not.toContain("rewards are waiting");
  });

  test("wait for another offer if the referrer has had each offer of the pool", async () => {
    const { ctx, api, ios, campaignId } = await earned(2, { offer: "Spring" });
    expect(await detect(ctx)).toEqual([]);
    expect((await api.claim("anna")).body.claimed_rewards).toHaveLength(1);
    expect(await detect(ctx)).toMatchObject([
      {
        severity: "critical",
        kind: "rewards_waiting",
        subject: `${campaignId} ios`,
        title: "1 person needs a second iOS offer",
        detail: expect.stringContaining("or add one to its refill"),
      },
    ]);
    const summer = await makeBatch(ctx, ios.reward, "ios", { size: 5, offer: "Summer" });
    expect(await detect(ctx)).toEqual([]);
    await ctx.db.orm.update(batches).set({ state: "undone" }).where(eq(batches.id, summer));
    expect(await detect(ctx)).toHaveLength(1);
    await makeBatch(ctx, ios.reward, "ios", { size: 5 });
    expect(await detect(ctx)).toEqual([]);
  });

  test("wait for another offer of Google Play, which has no refill", async () => {
    const tenant = await withProvider(await makeTenant({ codes: 60, threshold: 1, offer: "Spring" }));
    const { ctx, key } = tenant;
    const api = clientOf(key);
    await refer(tenant, (await api.referrer("anna")).body.metacode, 2, "android");
    await ctx.db.orm.update(pools).set({ onePerOffer: true }).where(eq(pools.appId, ctx.app.id));
    expect((await api.claim("anna")).body.claimed_rewards).toHaveLength(1);
    const [problem] = await detect(ctx);
    expect(problem?.title).toBe("1 person needs a second Android offer");
    expect(problem?.detail).toMatch(/^Import codes of another offer into “android reward”: 1 reward is/);
  });

  test("wait on the platform that a claim would choose, where the referrer's own has no pool", async () => {
    const { ctx, api, campaignId } = await earned(2, { offer: "Spring" });
    await ctx.db.orm.update(campaigns).set({ rewardsOn: "referrer" }).where(eq(campaigns.id, campaignId));
    await api.referrer("anna", { platform: "android" });
    await leavePlatform(ctx, "android");
    expect((await api.claim("anna")).body.claimed_rewards).toHaveLength(1);
    expect(await detect({ ...ctx, app: { ...ctx.app, androidPackage: null } })).toMatchObject([
      { kind: "rewards_waiting", subject: `${campaignId} ios`, title: "1 person needs a second iOS offer" },
    ]);
  });

  test("wait for a pool if the campaign names none, active or not", async () => {
    const { ctx, campaignId } = await earned(1);
    await ctx.db.orm
      .update(campaignPlatforms)
      .set({ rewardPoolId: null })
      .where(and(eq(campaignPlatforms.appId, ctx.app.id), eq(campaignPlatforms.platform, "ios")));
    expect(await detect(ctx)).toMatchObject([
      {
        severity: "critical",
        kind: "campaign",
        subject: `${campaignId} ios reward`,
        detail: expect.stringContaining("1 reward is waiting"),
      },
    ]);
    await leavePlatform(ctx, "ios");
    expect(JSON.stringify(await detect(ctx))).toContain("Add iOS to the campaign again");
    await endCampaign(ctx, campaignId);
    const problems = await detect(ctx);
    expect(problems.find(({ kind }) => kind === "rewards_waiting")).toMatchObject({
      title: "1 reward is waiting for a pool of “Launch”",
      detail: expect.stringContaining("Withdraw them"),
    });
  });
});

describe("a budget of a campaign", () => {
  /** A campaign, and a function that updates it and lists the problems of its budgets. */
  async function spending() {
    const { ctx, campaignId, ...tenant } = await soundApp();
    const spend = async (values: object) => {
      await ctx.db.orm.update(campaigns).set(values).where(eq(campaigns.id, campaignId));
      return (await detect(ctx)).filter(({ kind }) => kind === "budget");
    };
    return { tenant: { ctx, campaignId, ...tenant }, ctx, campaignId, spend };
  }

  test.each(["codes", "rewards"] as const)(
    "of %s is a problem at 80% and another when it is used up",
    async (of) => {
      const { campaignId, spend } = await spending();
      const values = (spent: number) =>
        of === "codes" ? { codeBudget: 10, spentCodes: spent } : { rewardBudget: 10, spentRewards: spent };
      expect(await spend(values(7))).toEqual([]);
      expect(await spend(values(8))).toMatchObject([
        {
          severity: "warning",
          subject: `${campaignId} ${of} low`,
          title: `80% of the ${of} of “Launch” are used`,
        },
      ]);
      const spent = {
        ...{ severity: "critical", subject: `${campaignId} ${of}`, includes: `${campaignId} ${of} low` },
        detail: expect.stringMatching(of === "codes" ? /^Raise the budget, or end/ : /^Raise the budget:/),
        title: `The budget of “Launch” for ${of} is used up`,
        path: `/campaigns/${campaignId}/edit`,
      };
      expect(await spend(values(10))).toMatchObject([spent]);
      // Lowered below what was spent.
      expect(await spend(values(12))).toMatchObject([spent]);
    },
  );

  test("is notified once at each step, and again after it was raised", async () => {
    const { ctx, spend } = await spending();
    const sent = async (values: object) => {
      await spend(values);
      await watchApp(ctx);
      const rows = await ctx.db.orm.select().from(alerts).where(eq(alerts.appId, ctx.app.id));
      return rows.filter(({ kind }) => kind === "budget").map(({ title }) => title);
    };
    expect(await sent({ codeBudget: 10, spentCodes: 9 })).toEqual(["90% of the codes of “Launch” are used"]);
    expect(await sent({ spentCodes: 10 })).toHaveLength(2);
    expect(await sent({ codeBudget: 1_000 })).toEqual([]);
  });

  test("is none after the campaign's end, except that rewards wait, for which nothing can raise it", async () => {
    const { tenant, spend } = await spending();
    await refer(tenant, (await clientOf(tenant.key).referrer("anna")).body.metacode, 5);
    const ended = { status: "ended", codeBudget: 10, spentCodes: 10, rewardBudget: 10, spentRewards: 10 };
    expect(JSON.stringify(await spend(ended))).toContain("is waiting beyond the budget of “Launch”");
    await eraseEndUser(tenant.ctx, "anna");
    expect(await spend(ended)).toEqual([]);
  });
});
