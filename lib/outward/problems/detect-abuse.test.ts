import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { beforeEach, describe, expect, test } from "vitest";
import { SCOPES } from "@/lib/contract/api-key";
import { isoDay } from "@/lib/contract/format";
import { detect } from "@/lib/outward/problems/detect";
import { PACE_FACTOR, PACE_FLOOR, unusualPace } from "@/lib/outward/problems/detect-abuse";
import { watchApp } from "@/lib/outward/problems/watch";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { dailyStats, keyLimitRefusals, keyUsageDays, referrals, requestLog } from "@/lib/platform/db/schema";
import { insertKey } from "@/lib/tenants/api-keys/create";
import { revokeKey, rotateKey } from "@/lib/tenants/api-keys/lifecycle";
import { updateKeyLimits } from "@/lib/tenants/api-keys/limits";
import { listKeys } from "@/lib/tenants/api-keys/list";
import { clientOf } from "@/lib/testing/client";
import { ago, alertKinds, DAY, HOUR, MINUTE, problemsOf, soundApp } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";
import type { Tenant } from "@/lib/testing/tenant";

useService();

let tenant: Tenant;
beforeEach(async () => {
  tenant = await soundApp();
});

/** Inserts referrals of a referrer that were made `age` ago. */
async function assigned(count: number, age: number, referrerId: string = uuidv7()): Promise<void> {
  const { ctx, campaignId } = tenant;
  const rows = Array.from({ length: count }, () => ({
    appId: ctx.app.id,
    campaignId,
    refereeUid: uuidv7(),
    id: uuidv7(),
    referrerId,
    platform: "ios" as const,
    createdAt: ago(age),
  }));
  if (count > 0) await ctx.db.orm.insert(referrals).values(rows);
}

/** Codes that were assigned on a past day, according to the figures. */
const dayOf = (count: number, daysAgo: number) =>
  tenant.ctx.db.orm.insert(dailyStats).values({
    appId: tenant.ctx.app.id,
    day: isoDay(ago(daysAgo * DAY)),
    campaignId: tenant.campaignId,
    platform: "ios",
    assigned: count,
  });

/** Only the problems about abuse, because this many referrals empty the pools as well. */
const kinds = async () =>
  (await problemsOf(tenant.ctx))
    .map(([, kind]) => kind)
    .filter((kind) => /^(pace|key_limited)$/.test(kind ?? ""));

describe("an unusual pace", () => {
  test("is measured against the busiest day of the week, with a floor for small apps", () => {
    expect([unusualPace(0, false), unusualPace(240, false)]).toEqual([PACE_FLOOR, PACE_FACTOR * 10]);
    expect([unusualPace(2_400, false), unusualPace(2_400, true)]).toEqual([500, 250]);
  });

  test("raises no alarm for a small app's good hour", async () => {
    await assigned(PACE_FLOOR - 1, 5 * MINUTE);
    expect(await kinds()).toEqual([]);
  });

  test("is a warning that names the busiest metacode", async () => {
    const { body } = await clientOf(tenant.key).referrer("ann");
    await assigned(40, 5 * MINUTE, body.referrer_id);
    await assigned(10, 50 * MINUTE);
    await assigned(500, HOUR + MINUTE);
    const [problem] = await detect(tenant.ctx);
    expect(problem).toMatchObject({
      kind: "pace",
      severity: "warning",
      title: "50 codes assigned in the last hour; 0 is usual",
    });
    expect(problem?.detail).toContain(`The metacode ${body.metacode} brought 40 of them`);
  });

  test("is not reported if the week had such hours", async () => {
    await dayOf(2_400, 3);
    await dayOf(24_000, 9);
    await assigned(499, 5 * MINUTE);
    expect(await kinds()).toEqual([]);
    await assigned(1, 5 * MINUTE);
    expect(await kinds()).toEqual(["pace"]);
  });

  test("is reported beyond 20,000 codes in an hour, which are usual for a large app", async () => {
    await dayOf(100_800, 3);
    for (let part = 0; part < 3; part++) await assigned(6_999, 5 * MINUTE);
    expect(await kinds()).toEqual([]);
    await assigned(3, 5 * MINUTE);
    const title = async () => (await detect(tenant.ctx)).find(({ kind }) => kind === "pace")?.title;
    expect(await title()).toBe("21,000 codes assigned in the last hour; 4,200 is usual");
    await assigned(1, 5 * MINUTE);
    expect(await title()).toBe("More than 21,000 codes assigned in the last hour; 4,200 is usual");
  });

  test("is notified once, and over when half of it is left", async () => {
    const { ctx } = tenant;
    await assigned(60, 5 * MINUTE);
    await watchApp(ctx);
    await watchApp(ctx);
    expect(await alertKinds(ctx)).toContain("pace");
    await ctx.db.orm
      .update(referrals)
      .set({ createdAt: ago(2 * HOUR) })
      .where(eq(referrals.appId, ctx.app.id));
    await assigned(PACE_FLOOR / 2, 5 * MINUTE);
    await watchApp(ctx);
    expect(await alertKinds(ctx)).toContain("pace");
    await ctx.db.orm.delete(referrals).where(eq(referrals.appId, ctx.app.id));
    await watchApp(ctx);
    expect(await alertKinds(ctx)).not.toContain("pace");
  });
});

describe("a limited key", () => {
  const refusing = async (
    limit: typeof keyLimitRefusals.$inferInsert.limit,
    refused: number,
    until = ago(-HOUR),
    lastAt = ago(MINUTE),
  ) => {
    const { ctx } = tenant;
    const [key] = await listKeys(ctx);
    const row = { limit, refused, since: ago(HOUR), lastAt, until };
    await ctx.db.orm.insert(keyLimitRefusals).values({ appId: ctx.app.id, keyId: key?.id ?? "", ...row });
  };

  test("is critical when its daily budget is used up", async () => {
    await refusing("daily_budget", 1);
    expect(await detect(tenant.ctx)).toMatchObject([
      { kind: "key_limited", severity: "critical", title: "The daily budget of the key “Test” is used up" },
    ]);
  });

  test("is a warning when many are refused, and nothing when a user mistypes", async () => {
    await refusing("unknown_per_user", 99);
    await refusing("codes_per_address", 9);
    await refusing("burst", 999);
    expect(await kinds()).toEqual([]);
    await refusing("unknown_metacodes", 1);
    const [problem] = await detect(tenant.ctx);
    expect(problem).toMatchObject({
      kind: "key_limited",
      severity: "warning",
      title: "A limit of the key “Test” is refusing many requests: unknown metacodes, all callers",
    });
  });

  test("is announced again when its raised budget is used up, although another machine refused by the old one", async () => {
    const { ctx } = tenant;
    const id = (await listKeys(ctx))[0]?.id ?? "";
    const refuse = () =>
      ctx.db.orm.execute(sql`select note_key_refusals(array[${ctx.app.id}]::uuid[], array[${id}]::uuid[],
        array['daily_budget'], array[1], array[now()], array[now() + interval '1 hour'])`);
    const announced = async () => {
      await watchApp(ctx);
      return alertKinds(ctx);
    };
    await refuse();
    expect(await announced()).toEqual(["key_limited"]);
    await updateKeyLimits(ctx, { keyId: id, dailyBudget: 20, addressCap: null });
    await refuse();
    expect(await announced()).toEqual([]);
    await ctx.db.orm
      .update(keyLimitRefusals)
      .set({ lastAt: ago(MINUTE) })
      .where(eq(keyLimitRefusals.keyId, id));
    await refuse();
    expect(await announced()).toEqual(["key_limited"]);
  });

  test("is a warning for an hour after a burst of which many were refused, although that limit lasts a second", async () => {
    await refusing("burst", 1_000, ago(59 * MINUTE), ago(59 * MINUTE));
    await refusing("codes_per_address", 10, ago(MINUTE));
    expect(await detect(tenant.ctx)).toMatchObject([
      { title: "A limit of the key “Test” is refusing many requests: request bursts" },
    ]);
    expect((await listKeys(tenant.ctx)).flatMap(({ limitsInForce }) => limitsInForce)).toEqual([]);
    await tenant.ctx.db.orm.update(keyLimitRefusals).set({ lastAt: ago(HOUR) });
    expect(await kinds()).toEqual([]);
  });

  test("ends as a problem with the limit", async () => {
    await refusing("daily_budget", 100, ago(MINUTE));
    expect(await kinds()).toEqual([]);
  });
});

describe("a key that has ended", () => {
  const send = async (key: string) => {
    expect((await clientOf(key).referrer("ann")).status).toBe(401);
    await flushRequests();
  };
  const titles = async () => (await detect(tenant.ctx)).map(({ severity, title }) => [severity, title]);
  /** Moves the log and the revocations into the past. */
  const wait = async (days: number) => {
    const { orm } = tenant.ctx.db;
    await orm.update(requestLog).set({ createdAt: ago(days * DAY) });
    await orm.execute(sql`update api_keys set revoked_at = revoked_at - make_interval(days => ${days})`);
  };

  test("is a warning while it is sent, revoked or expired, and not of another app", async () => {
    const { ctx, key } = tenant;
    const other = await soundApp();
    const old = await insertKey(ctx, "Old", SCOPES);
    await clientOf(old.key).referrer("ann");
    await revokeKey(ctx, { keyId: old.id });
    const working = (await listKeys(ctx)).find(({ state }) => state === "active");
    await rotateKey(ctx, { keyId: working?.id ?? "", grace: "now" });
    expect(await titles()).toEqual([]);
    for (const text of [old.key, key]) await send(text);
    expect(await titles()).toEqual([
      ["warning", expect.stringMatching(/^The key “Old” was revoked on .* and is still sent$/)],
      ["warning", expect.stringMatching(/^The key “Test” expired on .* and is still sent$/)],
    ]);
    expect(await detect(other.ctx)).toEqual([]);
    await watchApp(ctx);
    // Newer requests of a busy app leave none of these in the log.
    await ctx.db.orm.delete(requestLog);
    await watchApp(ctx);
    expect(await alertKinds(ctx)).toEqual(["key_limited", "key_limited"]);
    await ctx.db.orm.update(keyUsageDays).set({ day: isoDay(ago(2 * DAY)) });
    expect(await titles()).toEqual([]);
  });

  test("is none a day after it was last sent, and none a week after its end", async () => {
    const old = await insertKey(tenant.ctx, "Old", SCOPES);
    await revokeKey(tenant.ctx, { keyId: old.id });
    for (const days of [1, 6, 0]) {
      await send(old.key);
      expect(await titles()).toHaveLength(days > 0 ? 1 : 0);
      await wait(days);
      expect(await titles()).toEqual([]);
    }
  });

  test("is none where it was rotated and still works", async () => {
    await rotateKey(tenant.ctx, { keyId: (await listKeys(tenant.ctx))[0]?.id ?? "", grace: "24h" });
    expect((await clientOf(tenant.key).referrer("ann")).status).toBe(200);
    await flushRequests();
    expect(await titles()).toEqual([]);
  });
});
