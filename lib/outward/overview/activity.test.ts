import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { recentActivity } from "@/lib/outward/overview/activity";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { clientOf } from "@/lib/testing/client";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

test("lists events, newest first, with the names of referrers", async () => {
  const tenant = await makeTenant({ codes: 5, threshold: 1 });
  const api = clientOf(tenant.key);
  const { metacode, referrer_id } = (await api.referrer("ann", { name: "Ann" })).body;
  const [friend = ""] = await refer(tenant, metacode, 1);
  await api.claim("ann");
  await applyEvent(tenant.ctx, friend, "reverse");
  const activity = await recentActivity(tenant.ctx, 10);
  expect(activity.map(({ type, referrer }) => [type, referrer])).toEqual([
    ["referral.reversed", "Ann"],
    ["reward.claimed", "Ann"],
    ["referral.redeemed", "Ann"],
    ["reward.earned", "Ann"],
    ["referral.code_assigned", "Ann"],
    ["referrer.created", "Ann"],
  ]);
  expect(activity[0]).toMatchObject({ referrerId: referrer_id, refereeUid: friend, platform: "ios" });
  expect(activity[1]).toMatchObject({ rewardNumber: 1 });
});

test("has at most the requested number of items, of one app", async () => {
  const [tenant, other] = [await makeTenant({ codes: 5 }), await makeTenant({ codes: 5 })];
  for (const uid of ["a", "b", "c"]) await clientOf(tenant.key).referrer(uid);
  expect((await recentActivity(tenant.ctx, 2)).map(({ referrer }) => referrer)).toEqual(["c", "b"]);
  expect(await recentActivity(other.ctx, 10)).toEqual([]);
});

test("lists events behind hundreds that it leaves out, such as codes set aside for a line", async () => {
  const tenant = await makeTenant({ codes: 5 });
  await clientOf(tenant.key).referrer("ann");
  await tenant.ctx.db.orm.execute(sql`
    select emit(${tenant.ctx.app.id}, 'referral.code_ready', '{}') from generate_series(1, 300)`);
  expect((await recentActivity(tenant.ctx, 10)).map(({ referrer }) => referrer)).toEqual(["ann"]);
});

test("leads to no referral that was released since, which has no page", async () => {
  const tenant = await makeTenant({ codes: 5 });
  const api = clientOf(tenant.key);
  const { metacode } = (await api.referrer("ann")).body;
  for (const uid of ["ben", "cem"]) await api.redeem(uid, metacode);
  const [ben, cem] = [await referralIdOf(tenant.ctx, "ben"), await referralIdOf(tenant.ctx, "cem")];
  await releaseRedemption(asTeamMember(tenant.ctx), { referralId: ben, reason: "Wrong friend" });
  const activity = await recentActivity(tenant.ctx, 10);
  expect(activity.map(({ type, refereeUid, referralId }) => [type, refereeUid, referralId])).toEqual([
    ["referral.released", "ben", null],
    ["referral.code_assigned", "cem", cem],
    ["referral.code_assigned", "ben", null],
    ["referrer.created", null, null],
  ]);
});

test("names no erased user by the text that stands for the id", async () => {
  const tenant = await makeTenant({ codes: 5 });
  const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
  const [friend = ""] = await refer(tenant, metacode, 1);
  for (const uid of ["ann", friend]) await eraseEndUser(tenant.ctx, uid);
  const activity = await recentActivity(tenant.ctx, 10);
  expect(activity.map(({ referrer, refereeUid }) => [referrer, refereeUid])).toEqual(
    activity.map(() => [null, null]),
  );
  expect(activity).toHaveLength(3);
});
