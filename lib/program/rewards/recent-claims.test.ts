import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { APP_RANGES } from "@/lib/contract/app";
import { apps } from "@/lib/platform/db/schema";
import { clientOf } from "@/lib/testing/client";
import { earnRewards } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

/** A referrer `ann` who has claimed some rewards, in an app whose retry window is "Until confirmed". */
async function claimed(count: number) {
  const tenant = await makeTenant({ codes: count });
  const { ctx, key } = tenant;
  const api = clientOf(key);
  const window = { retryWindowHours: APP_RANGES.retryWindowHours.max };
  await ctx.db.orm.update(apps).set(window).where(eq(apps.id, ctx.app.id));
  await api.referrer("ann");
  await earnRewards(tenant, "ann", count);
  const first: { code: string }[] = [];
  while (first.length < count) first.push(...(await api.claim("ann")).body.claimed_rewards);
  /** Sets the time at which the code of each of the rewards was assigned. */
  const assign = (seconds: (index: number) => number) => {
    const times = first.map(({ code }, index) => ({
      code,
      at: new Date(Date.now() - seconds(index) * 1_000),
    }));
    return ctx.db.orm.execute(sql`
      update codes c set assigned_at = a.at
        from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) a (code text, at timestamptz)
       where c.app_id = ${ctx.app.id} and c.redeemed_by_uid = 'ann' and c.code = a.code`);
  };
  const recent = async () => (await api.claim("ann")).body.recent_claims;
  return { first, assign, recent };
}

test("an empty claim lists as many rewards as four claims take, and each claim as a whole, because its response may be lost", async () => {
  const { first, assign, recent } = await claimed(2003);
  expect(await recent()).toEqual(first);
  await assign((index) => 2003 - index);
  expect(await recent()).toEqual(first.slice(3));
});
