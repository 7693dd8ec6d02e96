import { and, eq, ne } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { codes, refereesInLine } from "@/lib/platform/db/schema";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { endPlaces } from "@/lib/program/line/line";
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

describe("a redeem that puts its referee in line during their erasure", () => {
  /** Eve has a metacode, and the pool is empty. */
  async function emptyPool() {
    const { tenant, api, metacode } = await referringTenant({ codes: 0 });
    const { ctx } = tenant;
    await api.referrer("eve");
    const inLine = async () => {
      const rows = await ctx.db.orm.select().from(refereesInLine).where(eq(refereesInLine.appId, ctx.app.id));
      return rows.map(({ refereeUid }) => refereeUid);
    };
    const hold = await database().pool.connect();
    await hold.query("begin");
    return { ctx, api, metacode, inLine, hold };
  }

  test("and that ends first leaves no place", async () => {
    const { ctx, metacode, inLine, hold } = await emptyPool();
    const { rows } = await hold.query(
      `select redeem_metacode($1, $2, 'ios', 'eve', gen_random_uuid(), null, null, null, null, null, 0, 0) as r`,
      [ctx.app.id, metacode],
    );
    expect(rows[0].r.verdict).toBe("NO_CODES_AVAILABLE");
    const erasing = eraseEndUser(ctx, "eve");
    await blockedBackends();
    await hold.query("commit");
    hold.release();
    await erasing;
    expect(await inLine()).not.toContain("eve");
    await endPlaces(ctx);
    expect(await inLine()).toEqual([]);
  });

  test("and that ends last leaves none either, and they may join later", async () => {
    const { ctx, api, metacode, inLine, hold } = await emptyPool();
    await hold.query("select 1 from referrers where app_id = $1 and uid = 'eve' for update", [ctx.app.id]);
    const erasing = eraseEndUser(ctx, "eve");
    await blockedBackends();
    const redeeming = api.redeem("eve", metacode);
    while ((await blockedBackends()).length < 2);
    await hold.query("rollback");
    hold.release();
    await erasing;
    expect((await redeeming).body.error.code).toBe("NO_CODES_AVAILABLE");
    expect(await inLine()).not.toContain("eve");
    await eraseEndUser(ctx, "eve").catch(({ code }) => expect(code).toBe("NOT_FOUND"));
    await endPlaces(ctx);
    expect(await inLine()).toEqual([]);
    await api.redeem("eve", metacode);
    expect(await inLine()).toEqual(["eve"]);
  });
});
