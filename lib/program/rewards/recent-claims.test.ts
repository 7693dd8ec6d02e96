import { and, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { APP_RANGES } from "@/lib/contract/app";
import { apps, codes } from "@/lib/platform/db/schema";
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
  const mine = and(eq(codes.appId, ctx.app.id), eq(codes.redeemedByUid, "ann"));
  /** Sets the time at which the code of each of the rewards was assigned. */
  const assign = (seconds: (index: number) => number) =>
    Promise.all(
      first.map(({ code }, index) =>
        ctx.db.orm
          .update(codes)
          .set({ assignedAt: sql`now() - make_interval(secs => ${seconds(index)})` })
          .where(and(mine, eq(codes.code, code))),
      ),
    );
  const recent = async () => (await api.claim("ann")).body.recent_claims;
  return { first, assign, recent };
}

test("an empty claim lists one reward more than a claim takes, and each claim as a whole, because its response may be lost", async () => {
  const { first, assign, recent } = await claimed(504);
  expect(await recent()).toEqual(first);
  await assign((index) => 504 - index);
  expect(await recent()).toEqual(first.slice(3));
});
