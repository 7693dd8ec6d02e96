import { eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { redeemResponse } from "@/lib/contract/redeem";
import { getPerson } from "@/lib/outward/person/get";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { database } from "@/lib/platform/db/client";
import { apps, campaigns, codes, erasedEndUsers, idempotencyKeys, referrers } from "@/lib/platform/db/schema";
import { createConnection } from "@/lib/program/connections/create";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { joinUids } from "@/lib/program/end-users/join";
import { pseudonymIn } from "@/lib/program/end-users/pseudonym";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { diagnoseReferral } from "@/lib/program/referrals/doctor-facts";
import { getReferral } from "@/lib/program/referrals/get";
import type { ApiReply } from "@/lib/testing/client";
import { applyEvent } from "@/lib/testing/confirm";
import { blockedBackends } from "@/lib/testing/database/locks";
import { assignedCodes, referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

const code = (reply: ApiReply) => reply.body.error?.code;

describe("a retry", () => {
  test("with the same Idempotency-Key replays the answer; another body is a conflict", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const headers = { "idempotency-key": "try-1" };
    const first = await api.redeem("bob", metacode, "ios", {}, headers);
    const second = await api.redeem("bob", metacode, "ios", {}, headers);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    const other = await api.redeem("cid", metacode, "ios", {}, headers);
    expect([code(other), other.headers.get("retry-after")]).toEqual(["CONFLICT", null]);
    expect(await assignedCodes(tenant)).toHaveLength(1);
  });

  test("replays a refusal too, but not an empty pool", async () => {
    const { tenant, api, metacode } = await referringTenant({ codes: 0 });
    const headers = { "idempotency-key": "x" };
    expect((await api.redeem("bob", metacode, "ios", {}, headers)).status).toBe(503);
    await makeBatch(tenant.ctx, tenant.pools.ios.referee, "ios", { size: 1 });
    expect((await api.redeem("bob", metacode, "ios", {}, headers)).status).toBe(200);
    const refused = await api.redeem("ann", metacode, "ios", {}, { "idempotency-key": "y" });
    const replayed = await api.redeem("ann", metacode, "ios", {}, { "idempotency-key": "y" });
    expect(replayed.body.error.code).toBe(refused.body.error.code);
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
  });

  test("10 parallel calls under one key: one code, the others a conflict or the same answer", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const headers = { "idempotency-key": "twins" };
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => api.redeem("bob", metacode, "ios", {}, headers)),
    );
    const won = replies.filter((reply) => reply.status === 200);
    expect(won.length).toBeGreaterThanOrEqual(1);
    expect(new Set(won.map((reply) => reply.body.code)).size).toBe(1);
    for (const reply of replies.filter(({ status }) => status !== 200))
      expect([code(reply), reply.headers.get("retry-after")]).toEqual(["CONFLICT", "1"]);
    expect(await assignedCodes(tenant)).toHaveLength(1);
  });

  test("that meets its first try still running is answered with a time to retry", async () => {
    const { tenant, api, metacode } = await referringTenant();
    let late: Promise<ApiReply> | undefined;
    await tenant.ctx.db.orm.transaction(async (rival) => {
      const stored = { key: "slow", requestHash: Buffer.alloc(32), result: { verdict: "CONFLICT" } };
      await rival
        .insert(idempotencyKeys)
        .values({ appId: tenant.ctx.app.id, operation: "redeem", ...stored });
      late = api.redeem("bob", metacode, "ios", {}, { "idempotency-key": "slow" });
      await blockedBackends();
    });
    const reply = await late;
    expect([reply?.body.error?.code, reply?.headers.get("retry-after")]).toEqual(["CONFLICT", "1"]);
    expect(await assignedCodes(tenant)).toHaveLength(0);
  });

  test("without a key carries the first answer, within the app's window and until confirmed", async () => {
    const { tenant, api, metacode } = await referringTenant();
    const first = await api.redeem("bob", metacode);
    const again = await api.redeem("bob", metacode);
    expect([again.status, again.body.redemption]).toEqual([409, first.body]);
    await tenant.ctx.db.orm.update(apps).set({ retryWindowHours: 0 }).where(eq(apps.id, tenant.ctx.app.id));
    expect((await api.redeem("bob", metacode)).body.redemption).toBeUndefined();
  });

  test.each([
    [24, 23, true],
    [24, 25, false],
    [72, 71, true],
    [72, 73, false],
    [87_600, 24 * 365, true],
  ])(
    "without a key, in a window of %i hours after %i hours: the code is in the answer: %s",
    async (hours, age, shown) => {
      const { tenant, api, metacode } = await referringTenant();
      const { orm } = tenant.ctx.db;
      const first = await api.redeem("bob", metacode);
      await orm.update(apps).set({ retryWindowHours: hours }).where(eq(apps.id, tenant.ctx.app.id));
      await orm.update(codes).set({ assignedAt: sql`now() - make_interval(hours => ${age}::int)` });
      expect((await api.redeem("bob", metacode)).body.redemption).toEqual(shown ? first.body : undefined);
      await orm.update(campaigns).set({ status: "ended" });
      expect((await api.redeem("bob", metacode)).body.redemption).toEqual(shown ? first.body : undefined);
    },
  );

  test("with a bad key is 400 and names the header", async () => {
    const { api, metacode } = await referringTenant();
    const reply = await api.redeem("bob", metacode, "ios", {}, { "idempotency-key": "x".repeat(256) });
    expect([reply.status, code(reply)]).toEqual([400, "VALIDATION_ERROR"]);
    expect(reply.body.error.message).toContain("Idempotency-Key");
  });
});

describe("test metacodes", () => {
  test.each([
    ["test123", 200, undefined],
    ["TEST123", 200, undefined],
    ["test409", 409, "ALREADY_REDEEMED"],
    ["test404", 404, "METACODE_NOT_FOUND"],
    ["test503", 503, "NO_CODES_AVAILABLE"],
    ["testended", 409, "CAMPAIGN_INACTIVE"],
  ])("%s answers %i and stores nothing", async (metacode, status, error) => {
    const { tenant, api } = await referringTenant();
    const reply = await api.redeem("bob", metacode);
    expect([reply.status, code(reply)]).toEqual([status, error]);
    if (status === 200) expect(redeemResponse.parse(reply.body).code).toContain("_");
    expect(await assignedCodes(tenant)).toHaveLength(0);
  });
});

test.each(["an empty pool", "a paused campaign"])(
  "a refusal during a release is not stored, so that no retry shows its code: %s",
  async (cause) => {
    const { tenant, api, metacode } = await referringTenant({ codes: 1 });
    const { ctx } = tenant;
    const { code } = (await api.redeem("ben", metacode)).body;
    expect((await api.redeem("late", metacode)).status).toBe(503);
    const status = cause === "an empty pool" ? "active" : "paused";
    await ctx.db.orm.update(campaigns).set({ status }).where(eq(campaigns.id, tenant.campaignId));
    const redeem = async () => {
      const { body } = await api.redeem("ben", metacode, "ios", {}, { "idempotency-key": "ben" });
      return [body.error.code, body.redemption?.code];
    };
    const referralId = await referralIdOf(ctx, "ben");
    const refused = status === "active" ? "ALREADY_REDEEMED" : "CAMPAIGN_INACTIVE";
    await ctx.db.transaction(async ({ orm }) => {
      await orm.execute(sql`select release_redemption(${ctx.app.id}, ${referralId})`);
      expect(await redeem()).toEqual([refused, code]);
    });
    expect(await redeem()).toEqual([status === "active" ? "NO_CODES_AVAILABLE" : refused, undefined]);
  },
);

test("a refusal by the cap of a referrer is not replayed once a release has made room", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  expect((await api.redeem("ben", metacode)).status).toBe(200);
  await ctx.db.orm.update(apps).set({ referrerDailyCap: 1 }).where(eq(apps.id, ctx.app.id));
  const redeem = () => api.redeem("cem", metacode, "ios", {}, { "idempotency-key": "cem" });
  expect((await redeem()).body.error.code).toBe("CONFLICT");
  await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, "ben"), reason: "Wrong friend" });
  expect((await redeem()).status).toBe(200);
});

test("an erased referee whose redemption is released redeems again, also with the same Idempotency-Key", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const redeem = () => api.redeem("ben", metacode, "ios", {}, { "idempotency-key": "again" });
  expect((await api.redeem("ben", metacode)).status).toBe(200);
  const referralId = await referralIdOf(ctx, "ben");
  await eraseEndUser(ctx, "ben");
  expect((await redeem()).body.error.code).toBe("ALREADY_REDEEMED");
  await releaseRedemption(ctx, { referralId, reason: "Wrong friend" });
  expect((await redeem()).status).toBe(200);
});

test("a referral of an erased user says that no purchase finds it, not that the user has bought nothing", async () => {
  const { tenant, api, metacode } = await referringTenant();
  await api.redeem("ben", metacode);
  const referralId = await referralIdOf(tenant.ctx, "ben");
  await eraseEndUser(tenant.ctx, "ben");
  await createConnection(tenant.ctx, { provider: "revenuecat" });
  expect(await applyEvent(tenant.ctx, "ben")).toBe("unmatched");
  const referral = await getReferral(tenant.ctx, referralId);
  expect(await diagnoseReferral(tenant.ctx, referral, [])).toEqual([{ why: "erased" }]);
});

test("an erased user is not erased or joined once more, which would let them redeem again or name them", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("ben", metacode);
  await eraseEndUser(ctx, "ben");
  const pseudonym = pseudonymIn(ctx.app.id, "ben") ?? "";
  const join = { uid: "ben", otherUid: pseudonym, reason: "The same", keepApart: "true" } as const;
  await expect(joinUids(ctx, join)).rejects.toMatchObject({ code: "VALIDATION_ERROR", field: "otherUid" });
  await expect(eraseEndUser(ctx, pseudonym)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(code(await api.redeem("ben", metacode))).toBe("ALREADY_REDEEMED");
});

test("the page of an ID that was joined with an erased one says why that one is refused", async () => {
  const { tenant, api, metacode } = await referringTenant();
  await api.redeem("ben", metacode);
  await eraseEndUser(tenant.ctx, "ben");
  await tenant.ctx.db.orm.update(erasedEndUsers).set({ createdAt: new Date(0) });
  await joinUids(tenant.ctx, { uid: "new", otherUid: "ben", reason: "A new phone", keepApart: "true" });
  expect(code(await api.redeem("ben", metacode))).toBe("ALREADY_REDEEMED");
  await flushRequests();
  expect((await getPerson(tenant.ctx, "new")).erased).not.toBeNull();
});

test("a redeem that began before the first erasure of the app, which is that of its referee, gets no second code", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  await api.redeem("eve", metacode);
  await ctx.db.orm.update(apps).set({ referrerDailyCap: 9 }).where(eq(apps.id, ctx.app.id));
  const underWay = await ctx.db.transaction(async ({ orm }) => {
    await orm.select().from(referrers).where(eq(referrers.appId, ctx.app.id)).for("update");
    const redeeming = api.redeem("eve", metacode);
    await blockedBackends();
    const since = new Date();
    const erasing = eraseEndUser(ctx, "eve");
    // The erasure waits for the redeem.
    const waits = `select from pg_stat_activity where datname = current_database() and query_start > $1
      and query like '%xact\\_start between%'`;
    while ((await database().pool.query(waits, [since])).rowCount === 0);
    return { redeeming, erasing };
  });
  expect((await underWay.redeeming).body.error.code).toBe("ALREADY_REDEEMED");
  expect(await underWay.erasing).toEqual({ referrals: 1, referrer: false });
  expect(await assignedCodes(tenant)).toHaveLength(1);
});

test("a referee with a second code of a campaign can be erased, and is refused all the same", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  for (const referrals of [1, 1, 1]) {
    // Makes redeem skip its check for erasures.
    await ctx.db.orm.update(apps).set({ hasErased: false }).where(eq(apps.id, ctx.app.id));
    expect((await api.redeem("eve", metacode)).status).toBe(200);
    expect(await eraseEndUser(ctx, "eve")).toEqual({ referrals, referrer: false });
  }
  expect((await api.redeem("eve", metacode)).body.error.code).toBe("ALREADY_REDEEMED");
});
