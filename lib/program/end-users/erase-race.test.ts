import { and, eq, ne } from "drizzle-orm";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { codes } from "@/lib/platform/db/schema";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { blockedBackends } from "@/lib/testing/database/locks";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

test("a redeem that waits for an erasure of its referee gets no second code", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  await api.referrer("eve");
  await api.redeem("eve", metacode);
  // The erasure has renamed the referral and waits for the row of the referrer.
  const hold = await database().pool.connect();
  await hold.query("begin");
  await hold.query("select 1 from referrers where app_id = $1 and uid = 'eve' for update", [ctx.app.id]);
  const erasing = eraseEndUser(ctx, "eve");
  await blockedBackends();
  const redeeming = api.redeem("eve", metacode);
  while ((await blockedBackends()).length < 2);
  await hold.query("rollback");
  hold.release();
  await erasing;
  const { body } = await redeeming;
  expect(body).toMatchObject({ error: { code: "ALREADY_REDEEMED" } });
  expect(body.redemption).toBeUndefined();
  const assigned = and(eq(codes.appId, ctx.app.id), ne(codes.status, "available"));
  expect(await ctx.db.orm.select().from(codes).where(assigned)).toHaveLength(1);
});
