import { and, eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { redeemResponse } from "@/lib/contract/redeem";
import { batches, campaigns, codes, refereesInLine, referrals, referrers } from "@/lib/platform/db/schema";
import type { AppError } from "@/lib/platform/errors";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { copyCampaign } from "@/lib/testing/campaigns";
import { type ApiReply, clientOf } from "@/lib/testing/client";
import { assignedCodes, referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";

useService();

const code = (reply: ApiReply) => reply.body.error?.code;

describe("a redeem", () => {
  test("assigns a code of the platform's pool and stores its referee", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const reply = await api.redeem("bob", metacode.toUpperCase());
    expect(reply.status).toBe(200);
    expect(redeemResponse.parse(reply.body)).toEqual(reply.body);
    expect(reply.body.store_url).toBe(
      `https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=${reply.body.code}`,
    );
    const [row] = await assignedCodes(tenant);
    expect(row).toMatchObject({ code: reply.body.code, redeemedByUid: "bob", platform: "ios" });
  });

  test("names the referrer as plain text", async () => {
    const { tenant } = await referringTenant();
    const api = clientOf(tenant.key);
    const { metacode } = (await api.referrer("eve", { name: "  Eve\u202e <b> ", x: 1 })).body;
    const reply = await api.redeem("bob", metacode);
    expect(reply.body.referrer_info.message).toBe("You were referred by Eve <b>");
  });

  test("takes a metacode with spaces, hyphens and upper case", async () => {
    const { api, metacode } = await referringTenant();
    const typed = ` ${metacode.slice(0, 4).toUpperCase()}-${metacode.slice(4)} `;
    expect((await api.redeem("bob", typed)).status).toBe(200);
  });

  test("links Android one-time codes to the redeem page and custom codes to the app's page", async () => {
    const { tenant, api, metacode } = await referringTenant({ codes: 0 });
    await makeBatch(tenant.ctx, tenant.pools.android.referee, "android", { size: 1 });
    const first = await api.redeem("bob", metacode, "android");
    expect(first.body.store_url).toBe(`https://play.google.com/redeem?code=${first.body.code}`);
    await makeBatch(tenant.ctx, tenant.pools.android.referee, "android", { size: 1, kind: "custom" });
    const second = await api.redeem("cid", metacode, "android");
    expect(second.body.store_url).toBe("https://play.google.com/store/apps/details?id=com.example.fitness");
    expect(second.body.instructions).toContain("cannot redeem this code through a link");
  });
});

describe("refusals of a redeem", () => {
  test("an unknown metacode, another app's, and a paused referrer's look alike", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const other = await referringTenant();
    await tenant.ctx.db.orm
      .update(referrers)
      .set({ status: "paused" })
      .where(and(eq(referrers.appId, tenant.ctx.app.id), eq(referrers.slug, metacode)));
    const replies = [
      await api.redeem("bob", "zzzzzzzz"),
      await api.redeem("bob", other.metacode),
      await api.redeem("bob", metacode),
    ];
    for (const { status, body } of replies) {
      expect(status).toBe(404);
      expect({ ...body.error, request_id: "" }).toEqual({ ...replies[0]?.body.error, request_id: "" });
    }
  });

  test.each([
    ["paused", { status: "paused" as const }],
    ["ended", { status: "ended" as const }],
    ["not begun", { startsAt: new Date(Date.now() + 3_600_000) }],
    ["over", { endsAt: new Date(Date.now() - 3_600_000) }],
  ])("a campaign that is %s", async (_, campaign) => {
    const { api, metacode } = await referringTenant({ campaign });
    const reply = await api.redeem("bob", metacode);
    expect([reply.status, code(reply)]).toEqual([409, "CAMPAIGN_INACTIVE"]);
  });

  test("oneself, and a second code in the campaign, on either platform", async () => {
    const { api, metacode } = await referringTenant();
    expect(code(await api.redeem("ann", metacode))).toBe("CONFLICT");
    expect((await api.redeem("bob", metacode)).status).toBe(200);
    const again = await api.redeem("bob", metacode, "android");
    expect([again.status, code(again)]).toEqual([409, "ALREADY_REDEEMED"]);
    expect(again.body.redemption).toBeUndefined();
  });

  test("oneself where the campaign is paused, which is the reason that the response names", async () => {
    const { api, metacode } = await referringTenant({ campaign: { status: "paused" } });
    const reply = await api.redeem("ann", metacode);
    expect([reply.status, code(reply)]).toEqual([409, "CAMPAIGN_INACTIVE"]);
  });

  test("oneself where the pool is empty, without a place in line", async () => {
    const { tenant, api, metacode } = await referringTenant({ codes: 0 });
    const reply = await api.redeem("ann", metacode);
    expect([reply.status, code(reply)]).toEqual([409, "CONFLICT"]);
    const own = eq(refereesInLine.appId, tenant.ctx.app.id);
    expect(await tenant.ctx.db.orm.select().from(refereesInLine).where(own)).toEqual([]);
  });

  test("an empty pool, and stores nothing, so that the referee can try again", async () => {
    const { tenant, api, metacode } = await referringTenant({ codes: 0 });
    const reply = await api.redeem("bob", metacode);
    expect([reply.status, code(reply)]).toEqual([503, "NO_CODES_AVAILABLE"]);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: 1 });
    expect((await api.redeem("bob", metacode)).status).toBe(200);
  });

  test("a referrer beyond the owner's daily cap", async () => {
    const { api, metacode } = await referringTenant({ app: { referrerDailyCap: 2 } });
    expect((await api.redeem("b1", metacode)).status).toBe(200);
    expect((await api.redeem("b2", metacode)).status).toBe(200);
    expect(code(await api.redeem("b3", metacode))).toBe("CONFLICT");
  });

  test("a referrer beyond the daily cap, until 24 hours after the codes that count", async () => {
    const { tenant, api, metacode } = await referringTenant({ app: { referrerDailyCap: 2 } });
    for (const uid of ["b1", "b2"]) expect((await api.redeem(uid, metacode)).status).toBe(200);
    const redeemedBefore = (seconds: number) =>
      tenant.ctx.db.orm
        .update(referrals)
        .set({ createdAt: new Date(Date.now() - seconds * 1_000) })
        .where(and(eq(referrals.appId, tenant.ctx.app.id), eq(referrals.refereeUid, "b1")));
    // Ten minutes less than a day, in case the machine pauses.
    await redeemedBefore(86_400 - 600);
    expect(code(await api.redeem("b3", metacode))).toBe("CONFLICT");
    await redeemedBefore(86_400 + 1);
    expect((await api.redeem("b3", metacode)).status).toBe(200);
    expect(code(await api.redeem("b4", metacode))).toBe("CONFLICT");
  });
});

describe("which code is taken", () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

  test("the earliest-expiring batch first, never one within the safety margin", async () => {
    const { tenant, api, metacode } = await referringTenant({ codes: 0 });
    const pool = tenant.pools.ios.referee;
    await makeBatch(tenant.ctx, pool, "ios", { size: 1, expiresAt: inDays(0.5) });
    const never = await makeBatch(tenant.ctx, pool, "ios", { size: 1 });
    const late = await makeBatch(tenant.ctx, pool, "ios", { size: 1, expiresAt: inDays(90) });
    const soon = await makeBatch(tenant.ctx, pool, "ios", { size: 1, expiresAt: inDays(3) });
    for (const uid of ["b1", "b2", "b3"]) expect((await api.redeem(uid, metacode)).status).toBe(200);
    expect(code(await api.redeem("b4", metacode))).toBe("NO_CODES_AVAILABLE");
    const order = (await assignedCodes(tenant)).sort((a, b) =>
      (a.redeemedByUid ?? "").localeCompare(b.redeemedByUid ?? ""),
    );
    expect(order.map((row) => row.batchId)).toEqual([soon, late, never]);
  });

  test("never a second code of the same named offer for one person", async () => {
    const { tenant, api, metacode } = await referringTenant({ offer: "spring" });
    const first = await api.redeem("bob", metacode);
    const { orm } = tenant.ctx.db;
    await orm.update(campaigns).set({ status: "ended" }).where(eq(campaigns.appId, tenant.ctx.app.id));
    const next = await copyCampaign(tenant);
    const again = await api.redeem("bob", metacode);
    expect([code(again), again.body.redemption]).toEqual(["NO_CODES_AVAILABLE", first.body]);
    expect((await api.redeem("cid", metacode)).status).toBe(200);
    const other = await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: 1, offer: "summer" });
    expect((await api.redeem("bob", metacode)).status).toBe(200);
    const rows = await orm
      .select()
      .from(codes)
      .where(and(eq(codes.appId, tenant.ctx.app.id), eq(codes.batchId, other)));
    expect(rows[0]?.redeemedByUid).toBe("bob");
    const had = await orm
      .select({ campaignId: referrals.campaignId })
      .from(referrals)
      .where(and(eq(referrals.appId, tenant.ctx.app.id), eq(referrals.refereeUid, "bob")))
      .orderBy(referrals.createdAt);
    expect(had.map(({ campaignId }) => campaignId)).toEqual([tenant.campaignId, next]);
  });

  test("an empty batch is marked once and passed by", async () => {
    const { tenant, api, metacode } = await referringTenant({ codes: 1 });
    expect((await api.redeem("b1", metacode)).status).toBe(200);
    expect((await api.redeem("b2", metacode)).status).toBe(503);
    const rows = await tenant.ctx.db.orm
      .select()
      .from(batches)
      .where(and(eq(batches.appId, tenant.ctx.app.id), eq(batches.poolId, tenant.pools.ios.referee)));
    expect(rows.map((row) => row.state)).toEqual(["drained"]);
  });
});

describe("races", () => {
  test("50 referees on 20 codes: 20 different codes, 30 times 503, nothing left over", async () => {
    const { tenant, api, metacode } = await referringTenant({ codes: 20 });
    const replies = await Promise.all(Array.from({ length: 50 }, (_, i) => api.redeem(`b${i}`, metacode)));
    const assigned = replies.filter((reply) => reply.status === 200).map((reply) => reply.body.code);
    expect(new Set(assigned).size).toBe(20);
    expect(replies.filter((reply) => code(reply) === "NO_CODES_AVAILABLE")).toHaveLength(30);
    const stored = await tenant.ctx.db.orm
      .select()
      .from(referrals)
      .where(eq(referrals.appId, tenant.ctx.app.id));
    expect(stored).toHaveLength(20);
  });

  test("as many referees as codes, each with three simultaneous requests: each gets one code", async () => {
    const { tenant, metacode } = await referringTenant({ codes: 40 });
    // Without a meter, no quota row serializes the calls.
    const ask = (refereeUid: string) =>
      redeemMetacode(tenant.ctx, { refereeUid, metacode, platform: "ios", clickId: undefined }).then(
        ({ body }) => body.code,
        (error: AppError) => error.code,
      );
    const uids = Array.from({ length: 120 }, (_, index) => `b${index % 40}`);
    const answers = await Promise.all(uids.map(ask));
    const refused = answers.filter((answer) => answer === "ALREADY_REDEEMED");
    expect(refused).toHaveLength(80);
    expect(new Set(answers).size).toBe(41);
  });

  test("as many referees as codes: each gets one", async () => {
    const { api, metacode } = await referringTenant({ codes: 200 });
    const replies = await Promise.all(Array.from({ length: 200 }, (_, i) => api.redeem(`b${i}`, metacode)));
    expect(new Set(replies.map((reply) => reply.body.code)).size).toBe(200);
  });

  test("30 parallel redeems of one referee: one code", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const replies = await Promise.all(Array.from({ length: 30 }, () => api.redeem("bob", metacode)));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    expect(replies.filter((reply) => code(reply) === "ALREADY_REDEEMED")).toHaveLength(29);
    expect(await assignedCodes(tenant)).toHaveLength(1);
  });
});
