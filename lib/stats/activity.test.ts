import { expect, test } from "vitest";
import { newestActivity } from "@/lib/stats/activity";
import { clientOf } from "@/lib/testing/client";
import { refer, tell } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

test("tells what happened, the newest first, with the names of people", async () => {
  const tenant = await makeTenant({ codes: 5, threshold: 1 });
  const api = clientOf(tenant.key);
  const { metacode, referrer_id } = (await api.referrer("ann", { name: "Ann" })).body;
  const [friend = ""] = await refer(tenant, metacode, 1);
  await api.claim("ann");
  await tell(tenant.ctx, friend, "reverse");
  const activity = await newestActivity(tenant.ctx, 10);
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

test("is no longer than asked for, and of one app", async () => {
  const [tenant, other] = [await makeTenant({ codes: 5 }), await makeTenant({ codes: 5 })];
  for (const uid of ["a", "b", "c"]) await clientOf(tenant.key).referrer(uid);
  expect((await newestActivity(tenant.ctx, 2)).map(({ referrer }) => referrer)).toEqual(["c", "b"]);
  expect(await newestActivity(other.ctx, 10)).toEqual([]);
});
