import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { database, openDatabase } from "@/lib/platform/db/client";
import { campaignPlatforms, campaigns, codes, rewards } from "@/lib/platform/db/schema";
import { importCodes } from "@/lib/program/codes/import";
import { randomCodeFile } from "@/lib/program/codes/sample-codes";
import { endPlaces } from "@/lib/program/line/line";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { resetSandbox } from "@/lib/program/sandbox/reset";
import { updateCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { later } from "@/lib/testing/clock";
import { earnRewards } from "@/lib/testing/confirm";
import { blockedBackends } from "@/lib/testing/database/locks";
import { statementsOf } from "@/lib/testing/database/statements";
import { inParallel } from "@/lib/testing/parallel";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import type { Tenant, TenantOptions } from "@/lib/testing/tenant";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

async function budgeted(codeBudget: number | null, options: TenantOptions = {}) {
  const { tenant, api, metacode } = await referringTenant({
    codes: 60,
    ...options,
    campaign: { codeBudget, ...options.campaign },
  });
  const { ctx } = tenant;
  const redeem = async (uid: string): Promise<string> => {
    const { status, body } = await api.redeem(uid, metacode);
    if (status === 200) return body.code;
    return body.error.code === "SERVICE_UNAVAILABLE" ? redeem(uid) : body.error.code;
  };
  const campaign = async () => {
    const [row] = await ctx.db.orm.select().from(campaigns).where(eq(campaigns.id, tenant.campaignId));
    if (!row) throw new Error("no campaign");
    return row;
  };
  const upload = (size: number) =>
    importCodes(ctx, {
      poolId: tenant.pools.ios.referee,
      kind: "one_time",
      source: randomCodeFile("ios", size),
    });
  return { ...tenant, tenant, api, metacode, redeem, campaign, upload };
}

/** Saves the form of the campaign with these budgets. */
const save = (
  { ctx, campaignId, pools }: Tenant,
  budgets: { codeBudget?: number; rewardBudget?: number },
) => {
  const [refereePoolId, rewardPoolId] = [pools.ios.referee, pools.ios.reward];
  return updateCampaign(ctx, campaignId, {
    name: "Launch",
    ...budgets,
    platforms: { ios: { threshold: 3, refereePoolId, rewardPoolId } },
  });
};

const names = (count: number, prefix = "bob") => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe("a budget for codes", () => {
  test("is met exactly by redeems of several processes at once, together and apart, each in one statement", async () => {
    const app = await budgeted(25);
    const { DATABASE_URL: url = "" } = process.env;
    const others = [1, 2].map(() => openDatabase({ url, size: 3, waitMs: 20_000 }));
    const ctxs = [app.ctx, ...others.map((db) => ({ ...app.ctx, db }))];
    const outcomes = await Promise.all(
      names(90).map((refereeUid, n) =>
        redeemMetacode(ctxs[n % 3] ?? app.ctx, {
          refereeUid,
          metacode: app.metacode,
          clickId: undefined,
          platform: n % 2 ? "ios" : "android",
        }).then(
          () => "OK",
          (error: { code: string; message: string }) => `${error.code} ${error.message}`,
        ),
      ),
    );
    await Promise.all(others.map((db) => db.close()));
    const refusal = "CAMPAIGN_INACTIVE This referral campaign has assigned all of its codes";
    expect(outcomes.filter((outcome) => outcome === "OK")).toHaveLength(25);
    expect(new Set(outcomes)).toEqual(new Set(["OK", refusal]));
    expect((await app.campaign()).spentCodes).toBe(25);
    const assigned = and(eq(codes.appId, app.ctx.app.id), eq(codes.status, "assigned"));
    expect(await app.ctx.db.orm.$count(codes, assigned)).toBe(25);
    // The API key is in the cache again.
    await app.api.referrer("ann");
    const statements = await statementsOf(() => app.redeem("late"));
    expect(statements.filter((text) => !text.startsWith("select redeem_metacode("))).toEqual([]);
  });

  test("does not refuse an honest retry, and gives way once it is raised", async () => {
    const app = await budgeted(1);
    const code = await app.redeem("bob");
    const again = (await app.api.redeem("bob", app.metacode)).body;
    expect([again.error.code, again.redemption.code]).toEqual(["ALREADY_REDEEMED", code]);
    const once = () => app.api.redeem("eve", app.metacode, "ios", {}, { "idempotency-key": "one" });
    expect((await once()).body.error.code).toBe("CAMPAIGN_INACTIVE");
    await save(app.tenant, { codeBudget: 2 });
    expect((await once()).status).toBe(200);
    expect(await app.redeem("kim")).toBe("CAMPAIGN_INACTIVE");
  });

  test("counts a code that was set aside at once, and no more once it returns unseen", async () => {
    const app = await budgeted(2, { codes: 0 });
    for (const uid of names(3)) expect(await app.redeem(uid)).toBe("NO_CODES_AVAILABLE");
    await app.upload(9);
    expect((await app.campaign()).spentCodes).toBe(2);
    expect(await app.redeem("late")).toBe("CAMPAIGN_INACTIVE");
    expect(await app.redeem("bob0")).toMatch(/^[A-Z0-9]+$/);
    expect((await app.campaign()).spentCodes).toBe(2);
    await app.ctx.db.orm.execute(
      sql`update referees_in_line set reserved_until = now() where app_id = ${app.ctx.app.id} and code_id is not null`,
    );
    await endPlaces(app.ctx);
    // The code went to the next in line.
    expect(await app.redeem("bob2")).toMatch(/^[A-Z0-9]+$/);
    expect((await app.campaign()).spentCodes).toBe(2);
  });

  test("still counts a code whose redemption was released, because a response has shown it", async () => {
    const app = await budgeted(2);
    await app.redeem("bob");
    const { rows } = await app.ctx.db.orm.execute<{ id: string }>(
      sql`select id from referrals where app_id = ${app.ctx.app.id}`,
    );
    await releaseRedemption(asTeamMember(app.ctx), { referralId: rows[0]?.id ?? "", reason: "Wrong friend" });
    await save(app.tenant, { codeBudget: 2 });
    expect((await app.campaign()).spentCodes).toBe(1);
    expect(await app.redeem("bob")).toMatch(/^[A-Z0-9]+$/);
    expect(await app.redeem("eve")).toBe("CAMPAIGN_INACTIVE");
  });

  test("of a campaign that runs already counts what was assigned, and redeems under way a moment later", async () => {
    const app = await budgeted(null);
    await app.redeem("bob");
    const underWay = await database().pool.connect();
    await underWay.query("begin");
    await underWay.query(
      `select redeem_metacode($1, $2, 'ios', 'eve', gen_random_uuid(), null, null, null, null, null, 0, 0)`,
      [app.ctx.app.id, app.metacode],
    );
    await save(app.tenant, { codeBudget: 3 });
    expect((await app.campaign()).spentCodes).toBe(1);
    await underWay.query("commit");
    underWay.release();
    await app.ctx.db.orm
      .update(campaigns)
      .set({ recountAt: later(campaigns.recountAt, -20) })
      .where(eq(campaigns.id, app.campaignId));
    expect(await app.redeem("kim")).toMatch(/^[A-Z0-9]+$/);
    expect(await app.campaign()).toMatchObject({ spentCodes: 3, recountAt: null });
    expect(await app.redeem("lea")).toBe("CAMPAIGN_INACTIVE");
  });

  test("begins again with a sandbox that is reset", async () => {
    const app = await budgeted(1, { sandbox: true });
    await app.redeem("bob");
    await resetSandbox(app.ctx);
    expect((await app.campaign()).spentCodes).toBe(0);
  });
});

test("uploads, redeems and returned places of a campaign with a budget do not block each other", async () => {
  const app = await budgeted(20, { codes: 0 });
  for (const uid of names(12)) await app.redeem(uid);
  await Promise.all([
    ...names(12).map(app.redeem),
    app.upload(6),
    endPlaces(app.ctx),
    app.upload(6),
    endPlaces(app.ctx),
    ...names(12, "late").map(app.redeem),
  ]);
  const { spentCodes } = await app.campaign();
  const { rows } = await app.ctx.db.orm.execute<{ used: number }>(sql`
    select count(*)::int as used from codes where app_id = ${app.ctx.app.id} and status in ('assigned', 'reserved')`);
  expect(spentCodes).toBe(rows[0]?.used);
});

describe("a budget for rewards", () => {
  test("is met exactly by claims at once; further rewards wait, are shown so, and are claimed once it is raised", async () => {
    const app = await budgeted(null, { campaign: { rewardBudget: 7 } });
    const claimants = names(6, "ann");
    for (const uid of claimants) await earnRewards(app.tenant, uid, 2);
    const answers = await Promise.all(claimants.map((uid) => app.api.claim(uid)));
    const claimed = answers.flatMap(({ body }) => body.claimed_rewards ?? []);
    expect(claimed).toHaveLength(7);
    expect((await app.campaign()).spentRewards).toBe(7);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, body, headers } of refused) {
      expect([status, body.error.code, headers.get("retry-after")]).toEqual([
        503,
        "NO_CODES_AVAILABLE",
        "86400",
      ]);
    }
    const waiting = and(eq(rewards.appId, app.ctx.app.id), eq(rewards.waitsFor, "budget"));
    expect(await app.ctx.db.orm.$count(rewards, waiting)).toBe(5);
    const stats = await inParallel(6, 2, async (n) => (await app.api.referrer(`ann${n}`)).body.stats);
    expect(stats.reduce((sum, { rewards_waiting = 0 }) => sum + rewards_waiting, 0)).toBe(5);
    await save(app.tenant, { rewardBudget: 12 });
    for (const uid of claimants) await app.api.claim(uid);
    expect(await app.ctx.db.orm.$count(rewards, waiting)).toBe(0);
    expect((await app.campaign()).spentRewards).toBe(12);
  });

  test("waits for a claim under way", async () => {
    const app = await budgeted(null, { campaign: { rewardBudget: 1 } });
    for (const uid of ["ann", "bob"]) await earnRewards(app.tenant, uid, 1);
    const first = await database().pool.connect();
    await first.query("begin");
    await first.query("select claim_once($1, 'ann', null)", [app.ctx.app.id]);
    const second = app.api.claim("bob");
    await blockedBackends();
    await first.query("commit");
    first.release();
    expect((await second).status).toBe(503);
  });
});

test("without a budget a redeem locks and counts nothing", async () => {
  const app = await budgeted(null);
  const locked = await database().pool.connect();
  await locked.query("begin");
  await locked.query("select 1 from campaigns where app_id = $1 for update", [app.ctx.app.id]);
  expect(await app.redeem("bob")).toMatch(/^[A-Z0-9]+$/);
  await earnRewards(app.tenant, "ann", 1);
  expect((await clientOf(app.key).claim("ann")).status).toBe(200);
  await locked.query("rollback");
  locked.release();
  expect(await app.campaign()).toMatchObject({ spentCodes: 0, spentRewards: 0 });
  const noRow = eq(campaignPlatforms.campaignId, app.campaignId);
  expect(await app.ctx.db.orm.$count(campaignPlatforms, noRow)).toBe(2);
});
