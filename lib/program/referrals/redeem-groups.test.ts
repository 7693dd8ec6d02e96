import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import {
  campaigns,
  clicks,
  codes,
  idempotencyKeys,
  outbox,
  referrals,
  referrers,
} from "@/lib/platform/db/schema";
import { idempotencyOf } from "@/lib/platform/idempotency/key";
import { STORE_CLICKS } from "@/lib/program/clicks/buffer";
import { importCodes } from "@/lib/program/codes/import";
import { randomCodeFile } from "@/lib/program/codes/sample-codes";
import { statementsOf } from "@/lib/testing/database/statements";
import { persistently } from "@/lib/testing/parallel";
import { countCalls, type RedeemTestInput, redeemInputs, redeemingTenant } from "@/lib/testing/redeems";
import { assignedCodes, referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";

useService();

describe("redeems at the same time", () => {
  test("share a statement, and each has its own code, event and stored answer", async () => {
    const { tenant, redeem, redeemTogether } = await redeemingTenant({ codes: 30 });
    const inputs = redeemInputs(20).map((wish) => ({
      ...wish,
      idempotency: idempotencyOf(wish.refereeUid, wish),
    }));
    const statements = await statementsOf(async () => {
      const answers = await Promise.all(redeemTogether(inputs));
      expect(new Set(answers).size).toBe(22);
      expect(await Promise.all(inputs.map(redeem))).toEqual(answers.slice(2));
    });
    expect(countCalls(statements, "redeem_together")).toBeGreaterThan(1);
    expect(statements.length).toBeLessThan(12);
    const { orm } = tenant.ctx.db;
    const assigned = await assignedCodes(tenant);
    const events = await orm
      .select()
      .from(outbox)
      .where(and(eq(outbox.appId, tenant.ctx.app.id), eq(outbox.type, "referral.code_assigned")));
    const assignments = events.map(({ payload }) => payload as { referral_id: string; referee_uid: string });
    const pairs = (rows: [string | null, string | null][]) => rows.map((row) => row.join(" ")).sort();
    expect(pairs(assignments.map((event) => [event.referral_id, event.referee_uid]))).toEqual(
      pairs(assigned.map((row) => [row.assignmentId, row.redeemedByUid])),
    );
    const stored = await orm
      .select()
      .from(idempotencyKeys)
      .where(eq(idempotencyKeys.appId, tenant.ctx.app.id));
    expect(stored.map(({ key }) => key).sort()).toEqual(inputs.map(({ refereeUid }) => refereeUid).sort());
  });

  test("get the verdicts that they get singly", async () => {
    const { redeem, redeemTogether } = await redeemingTenant();
    const had = await redeem({ refereeUid: "had" });
    const key = idempotencyOf("key", {});
    const replayed = await redeem({ refereeUid: "replayed", idempotency: key });
    const answers = await Promise.all(
      redeemTogether([
        { refereeUid: "new" },
        { refereeUid: "had" },
        { refereeUid: "lost", metacode: "nobodys0" },
        { refereeUid: "ann" },
        { refereeUid: "replayed", idempotency: key },
        { refereeUid: "other", idempotency: idempotencyOf("key", { another: "request" }) },
        { refereeUid: "droid", platform: "android" },
      ]),
    );
    const [first, second, fresh, ...others] = answers;
    const droid = others.pop();
    expect(new Set([had, replayed, first, second, fresh, droid]).size).toBe(6);
    expect(others).toEqual([
      `ALREADY_REDEEMED ${had}`,
      "METACODE_NOT_FOUND",
      "CONFLICT",
      replayed,
      "CONFLICT",
    ]);
  });

  test("of one referee, key or click are decided one after the other", async () => {
    const { tenant, api, redeemTogether } = await redeemingTenant();
    const idempotency = idempotencyOf("key", {});
    const clickId = uuidv7();
    const { referrer_id: referrerId } = (await api.referrer("ann")).body;
    await tenant.ctx.db.orm
      .insert(clicks)
      .values({ appId: tenant.ctx.app.id, id: clickId, referrerId, visitor: Buffer.from("v") });
    const inputs: RedeemTestInput[] = [
      { refereeUid: "bob" },
      { refereeUid: "bob" },
      { refereeUid: "cid", idempotency },
      { refereeUid: "cid", idempotency },
      { refereeUid: "dan", clickId },
      { refereeUid: "eve", clickId },
    ];
    const statements = await statementsOf(async () => {
      const [, , bob, again, cid, replayed, ...clicked] = await Promise.all(redeemTogether(inputs));
      expect([again, replayed]).toEqual([`ALREADY_REDEEMED ${bob}`, cid]);
      expect(new Set([bob, cid, ...clicked]).size).toBe(4);
    });
    expect(countCalls(statements, "redeem_metacode") + countCalls(statements, "redeem_together")).toBe(4);
    const { orm } = tenant.ctx.db;
    const rows = await orm.select().from(referrals).where(eq(referrals.appId, tenant.ctx.app.id));
    expect(rows).toHaveLength(6);
    expect(rows.filter(({ id }) => id === clickId)).toHaveLength(1);
  });

  test.each<[string, Partial<RedeemTestInput>, Partial<RedeemTestInput>?]>([
    ["referee", { refereeUid: "bob" }, { refereeUid: "bob" }],
    ["key", { idempotency: idempotencyOf("key", 1) }, { idempotency: idempotencyOf("key", 2) }],
    ["click", { clickId: uuidv7() }],
  ])("never share a statement with another of the same %s", async (_, mine, other = mine) => {
    const { redeemTogether } = await redeemingTenant();
    const inputs = [
      { refereeUid: "dan", ...mine },
      { refereeUid: "eve", ...other },
    ];
    const statements = await statementsOf(() => Promise.all(redeemTogether(inputs)));
    expect(countCalls(statements, "redeem_together")).toBe(0);
    expect(countCalls(statements, "redeem_metacode")).toBe(4);
  });

  test("complete the clicks that they come from", async () => {
    const { tenant, api, redeemTogether } = await redeemingTenant();
    const { ctx } = tenant;
    const { referrer_id: referrerId } = (await api.referrer("ann")).body;
    const ids = [uuidv7(), uuidv7()];
    const visitors = [Buffer.from("v"), Buffer.from("w")];
    const times = ids.map(() => new Date());
    await ctx.db.call(STORE_CLICKS, {
      app: ctx.app.id,
      ids,
      referrers: [referrerId, referrerId],
      visitors,
      times,
    });
    await Promise.all(redeemTogether(ids.map((clickId, n) => ({ refereeUid: `bob${n}`, clickId }))));
    expect(await ctx.db.orm.select().from(clicks).where(eq(clicks.appId, ctx.app.id))).toEqual([]);
    const rows = await ctx.db.orm.select().from(referrals).where(eq(referrals.appId, ctx.app.id));
    expect(rows.filter(({ clickedAt }) => clickedAt).map(({ id }) => id)).toEqual(
      expect.arrayContaining(ids),
    );
  });
});

describe("the owner's daily cap", () => {
  test("is counted within a group, and only a statement of its own refuses", async () => {
    const { redeemTogether } = await redeemingTenant({ app: { referrerDailyCap: 4 } });
    const statements = await statementsOf(async () => {
      const answers = await Promise.all(redeemTogether(redeemInputs(6)));
      expect(answers.filter((answer) => answer === "CONFLICT")).toHaveLength(4);
      expect(new Set(answers).size).toBe(5);
    });
    expect(countCalls(statements, "redeem_together")).toBe(1);
  });

  test("holds for the redeems of several groups at once, to the last one", async () => {
    const { redeem, tenant } = await redeemingTenant({ app: { referrerDailyCap: 9 }, codes: 80 });
    // On a busy machine some of these fail before they run, without the code of an error.
    const persistent = (input: RedeemTestInput) =>
      persistently(
        () => redeem(input),
        (answer) => answer !== undefined,
      );
    const answers = await Promise.all(redeemInputs(64).map(persistent));
    expect(answers.filter((answer) => answer === "CONFLICT")).toHaveLength(55);
    expect(await assignedCodes(tenant)).toHaveLength(9);
  });

  test("leaves the place of a redeem that finds no code to another one of its group", async () => {
    const { tenant, api, redeemTogether } = await redeemingTenant({ app: { referrerDailyCap: 1 } });
    const { metacode } = (await api.referrer("kim")).body;
    await tenant.ctx.db.orm
      .update(codes)
      .set({ status: "void" })
      .where(and(eq(codes.appId, tenant.ctx.app.id), eq(codes.platform, "android")));
    const [, , none, code] = await Promise.all(
      redeemTogether([
        { refereeUid: "bob0", metacode, platform: "android" },
        { refereeUid: "bob1", metacode },
      ]),
    );
    // Each runs again alone, in any order: the place may be taken before the first one finds no code.
    expect(["NO_CODES_AVAILABLE", "CONFLICT"]).toContain(none);
    expect(code).not.toBe("CONFLICT");
  });

  test("does not keep redeems of different referrers out of one statement", async () => {
    const { api, redeemTogether } = await redeemingTenant({ app: { referrerDailyCap: 1 } });
    const others: string[] = [];
    for (const uid of ["kim", "lee", "max"]) others.push((await api.referrer(uid)).body.metacode);
    const statements = await statementsOf(async () => {
      const inputs = others.map((metacode, n) => ({ refereeUid: `bob${n}`, metacode }));
      const [, , ...answers] = await Promise.all(redeemTogether(inputs));
      expect(new Set(answers).size).toBe(3);
      expect(answers).not.toContain("CONFLICT");
    });
    expect(countCalls(statements, "redeem_together")).toBe(1);
  });

  test("leaves influencers alone, whom the owner made", async () => {
    const { tenant, redeem, metacode } = await redeemingTenant({ app: { referrerDailyCap: 1 } });
    await tenant.ctx.db.orm
      .update(referrers)
      .set({ campaignId: tenant.campaignId })
      .where(and(eq(referrers.appId, tenant.ctx.app.id), eq(referrers.slug, metacode)));
    const answers = await Promise.all(redeemInputs(3).map(redeem));
    expect(answers).not.toContain("CONFLICT");
  });
});

test("a group counts its codes once in a budget: not one that was set aside before, nor a redeem without a code", async () => {
  const { tenant, redeem, redeemTogether } = await redeemingTenant({
    codes: 0,
    campaign: { codeBudget: 20 },
  });
  expect(await redeem({ refereeUid: "bob" })).toBe("NO_CODES_AVAILABLE");
  const source = randomCodeFile("ios", 5);
  await importCodes(tenant.ctx, { poolId: tenant.pools.ios.referee, kind: "one_time", source });
  const inputs = ["bob", "eve", "kim", "lea"].map((refereeUid) => ({ refereeUid }));
  const statements = await statementsOf(async () => {
    const answers = await Promise.all(redeemTogether(inputs));
    expect(answers.filter((answer) => answer === "NO_CODES_AVAILABLE")).toHaveLength(1);
    expect(new Set(answers).size).toBe(6);
  });
  expect(countCalls(statements, "redeem_together")).toBe(1);
  const [campaign] = await tenant.ctx.db.orm
    .select()
    .from(campaigns)
    .where(eq(campaigns.id, tenant.campaignId));
  expect(campaign?.spentCodes).toBe(5);
});

test("a redeem that its statement counts against the quota runs alone", async () => {
  const { api, metacode, tenant } = await referringTenant({ plan: "free", quota: 40, codes: 40 });
  const statements = await statementsOf(async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => api.redeem(`bob${n}`, metacode)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(39);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(11);
  });
  expect(countCalls(statements, "redeem_together")).toBe(0);
  expect(await assignedCodes(tenant)).toHaveLength(39);
});
