import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { campaigns } from "@/lib/platform/db/schema";
import { importCodes } from "@/lib/program/codes/import";
import { randomCodeFile } from "@/lib/program/codes/sample-codes";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { joinUids } from "@/lib/program/end-users/join";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { redeemMetacode } from "@/lib/program/referrals/redeem";
import { copyCampaign } from "@/lib/testing/campaigns";
import type { ApiReply } from "@/lib/testing/client";
import { blockedBackends } from "@/lib/testing/database/locks";
import { assignedCodes, referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

/** Ann has referred bob, who has a metacode of his own. */
async function referred(refuseReciprocal: boolean, codes = 10) {
  const { tenant, api, metacode } = await referringTenant({ codes, campaign: { refuseReciprocal } });
  expect((await api.redeem("bob", metacode)).status).toBe(200);
  const bobs: string = (await api.referrer("bob")).body.metacode;
  return { ...tenant, tenant, api, metacode, bobs };
}

const outcome = ({ status, body }: ApiReply) => [status, body.error?.code, body.error?.message];
const REFUSED = [409, "CONFLICT", "This referee has referred the referrer of this metacode"];

test("a friend for whom a code is set aside gets it beyond the cap of the referrer, which others have used up", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0, app: { referrerDailyCap: 2 } });
  const ctx = asTeamMember(tenant.ctx);
  const redeem = async (uid: string) => (await api.redeem(uid, metacode)).status;
  const upload = (size: number) =>
    importCodes(ctx, {
      poolId: tenant.pools.ios.referee,
      kind: "one_time",
      source: randomCodeFile("ios", size),
    });
  for (const uid of ["bob", "cat-old"]) expect(await redeem(uid)).toBe(503);
  expect(await upload(2)).toMatchObject({ setAside: 2 });
  expect(await upload(4)).toMatchObject({ setAside: 0 });
  for (const uid of ["dan", "eve"]) expect(await redeem(uid)).toBe(200);
  expect(await redeem("fay")).toBe(409);
  await joinUids(ctx, { uid: "cat-old", otherUid: "cat-new", reason: "Reinstalled", keepApart: "true" });
  expect(await Promise.all(["bob", "fay", "cat-new"].map(redeem))).toEqual([200, 409, 200]);
  expect(await assignedCodes(tenant)).toHaveLength(4);
});

test("a code that is set aside passes the cap of its own referrer and store only", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0, app: { referrerDailyCap: 1 } });
  const eve = (await api.referrer("eve")).body.metacode;
  expect((await api.redeem("bob", metacode)).status).toBe(503);
  const { pools, ctx } = tenant;
  for (const [poolId, platform] of [
    [pools.ios.referee, "ios"],
    [pools.android.referee, "android"],
  ] as const)
    await importCodes(ctx, { poolId, kind: "one_time", source: randomCodeFile(platform, 5) });
  for (const [uid, code] of [
    ["dan", metacode],
    ["fay", eve],
  ] as const)
    expect((await api.redeem(uid, code)).status).toBe(200);
  expect((await api.redeem("bob", eve)).status).toBe(409);
  expect((await api.redeem("bob", metacode, "android")).status).toBe(409);
  expect((await api.redeem("bob", metacode)).status).toBe(200);
});

describe("a referrer who redeems the metacode of a person whom they referred", () => {
  test("is refused where the campaign says so, every time, and no other person is", async () => {
    const { api, bobs, metacode } = await referred(true);
    expect(outcome(await api.redeem("ann", bobs))).toEqual(REFUSED);
    expect(outcome(await api.redeem("ann", bobs, "android"))).toEqual(REFUSED);
    expect((await api.redeem("carla", bobs)).status).toBe(200);
    expect((await api.redeem("bob", metacode)).body.error.code).toBe("ALREADY_REDEEMED");
  });

  test("gets a code where it does not", async () => {
    const { api, bobs } = await referred(false);
    expect((await api.redeem("ann", bobs)).status).toBe(200);
  });

  test("is refused under an id that was joined with theirs, as the referred one is", async () => {
    const { api, ctx, bobs, metacode } = await referred(true);
    await joinUids(ctx, {
      uid: "ann",
      otherUid: "ann on another phone",
      reason: "Same person",
      keepApart: "true",
    });
    expect(outcome(await api.redeem("ann on another phone", bobs))).toEqual(REFUSED);
    const other: string = (await api.referrer("robert")).body.metacode;
    await joinUids(ctx, { uid: "robert", otherUid: "bob", reason: "Same person", keepApart: "true" });
    expect(outcome(await api.redeem("ann", other))).toEqual(REFUSED);
    expect(outcome(await api.redeem("ann on another phone", metacode))).toEqual([
      409,
      "CONFLICT",
      "Referrers cannot redeem their own metacode",
    ]);
  });

  test("is refused no longer once that redemption is released, also with the same Idempotency-Key", async () => {
    const { api, ctx, bobs } = await referred(true);
    const redeem = () => api.redeem("ann", bobs, "ios", {}, { "idempotency-key": "ann and bob" });
    for (const replayed of [null, "true"]) {
      const refused = await redeem();
      expect(outcome(refused)).toEqual(REFUSED);
      expect(refused.headers.get("idempotency-replayed")).toBe(replayed);
    }
    const referralId = await referralIdOf(ctx, "bob");
    await releaseRedemption(asTeamMember(ctx), { referralId, reason: "Wrong friend" });
    expect((await redeem()).status).toBe(200);
  });

  test("is refused after an earlier campaign, and after their own erasure", async () => {
    const { api, ctx, tenant, bobs } = await referred(false);
    await ctx.db.orm.update(campaigns).set({ status: "ended" }).where(eq(campaigns.id, tenant.campaignId));
    await copyCampaign(tenant, { refuseReciprocal: true });
    expect(outcome(await api.redeem("ann", bobs))).toEqual(REFUSED);
    await eraseEndUser(ctx, "ann");
    expect(outcome(await api.redeem("ann", bobs))).toEqual(REFUSED);
  });

  test("is shown the code that they got before the rule", async () => {
    const { api, ctx, tenant, bobs } = await referred(false);
    const { code } = (await api.redeem("ann", bobs)).body;
    await ctx.db.orm
      .update(campaigns)
      .set({ refuseReciprocal: true })
      .where(eq(campaigns.id, tenant.campaignId));
    const again = (await api.redeem("ann", bobs)).body;
    expect([again.error.code, again.redemption.code]).toEqual(["ALREADY_REDEEMED", code]);
  });
});

test("of two people who redeem each other's metacode at once one gets a code, together and apart", async () => {
  const { tenant, api } = await referringTenant({ codes: 60, campaign: { refuseReciprocal: true } });
  const pairs = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const [left, right] = [`left-${n}`, `right-${n}`];
      const codes = await Promise.all(
        [left, right].map(async (uid): Promise<string> => (await api.referrer(uid)).body.metacode),
      );
      return { left, right, codes };
    }),
  );
  const redeem = (refereeUid: string, metacode = "") =>
    redeemMetacode(tenant.ctx, { refereeUid, metacode, platform: "ios", clickId: undefined }).then(
      () => 1,
      (error: { code: string }) => {
        expect(error.code).toBe("CONFLICT");
        return 0;
      },
    );
  const given = await Promise.all(
    pairs.flatMap(({ left, right, codes }) => [redeem(left, codes[1]), redeem(right, codes[0])]),
  );
  const winners = pairs.map((_, n) => Number(given[2 * n]) + Number(given[2 * n + 1]));
  expect(winners).toEqual(pairs.map(() => 1));
});

test("of two whose transactions overlap the second waits for the first", async () => {
  const { tenant, api } = await referringTenant({ campaign: { refuseReciprocal: true } });
  const { ctx } = tenant;
  const [anns, bobs] = [(await api.referrer("ann")).body.metacode, (await api.referrer("bob")).body.metacode];
  const first = await database().pool.connect();
  await first.query("begin");
  const { rows } = await first.query(
    `select redeem_metacode($1, $2, 'ios', 'bob', gen_random_uuid(), null, null, null, null, null, 0, 0) as r`,
    [ctx.app.id, anns],
  );
  expect(rows[0].r.verdict).toBe("OK");
  const second = api.redeem("ann", bobs);
  await blockedBackends();
  await first.query("commit");
  first.release();
  expect(outcome(await second)).toEqual(REFUSED);
});
