import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import { campaignRules } from "@/lib/contract/campaign";
import { database } from "@/lib/platform/db/client";
import { apps, campaignPlatforms, referrerProgress } from "@/lib/platform/db/schema";
import { log } from "@/lib/platform/log";
import { replacePlatforms } from "@/lib/program/campaigns/platforms";
import { onCluster } from "@/lib/testing/database/cluster";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { sweepInstallation } from "@/lib/web/background/sweep";

useService({ LOG_LEVEL: "silent" });

/** An app with a reward that a changed rule made due. */
async function appWithDueReward(): Promise<string> {
  const { ctx, campaignId } = await makeTenant({ threshold: 5 });
  const key = { appId: ctx.app.id, campaignId, platform: "ios" as const };
  await ctx.db.orm.insert(referrerProgress).values({ ...key, referrerId: uuidv7(), confirmed: 4, earned: 0 });
  const { platforms } = campaignRules.parse({ name: "Launch", platforms: { ios: { threshold: 4 } } });
  await replacePlatforms(ctx.db, key.appId, campaignId, platforms, new Set(["ios"]));
  return key.appId;
}

test.skipIf(onCluster())(
  "a failing step or campaign (a cluster has no triggers) is logged, and holds back no other",
  async () => {
    const { orm, pool } = database();
    const warn = vi.spyOn(log(), "warn");
    onTestFinished(() => warn.mockRestore());
    const [failing, granting] = [await appWithDueReward(), await appWithDueReward()];
    const { ctx: purged } = await makeTenant({ app: { deletedAt: new Date(0) } });
    await pool.query(`
    insert into quota_usage values ('${uuidv7()}', '2020-01-01', 1);
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before delete on quota_usage for each row execute function refuse();
    create trigger refuse before insert on rewards for each row when (new.app_id = '${failing}')
      execute function refuse()`);

    await expect(sweepInstallation(database())).rejects.toThrow("refused");
    const rules = await orm.select().from(campaignPlatforms).where(eq(campaignPlatforms.appId, granting));
    expect(rules).toEqual([expect.objectContaining({ grantAfter: null, granted: 1 })]);
    expect(warn.mock.calls.flatMap(([fields]) => Reflect.get(fields as object, "step") ?? [])).toEqual([
      "rewards",
      "rows of no app",
    ]);
    expect(await orm.select().from(apps).where(eq(apps.id, purged.app.id))).toEqual([]);
  },
);
