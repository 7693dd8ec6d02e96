import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { campaignRules } from "@/lib/contract/campaign";
import { database } from "@/lib/platform/db/client";
import { apps, campaignPlatforms, referrerProgress } from "@/lib/platform/db/schema";
import { replacePlatforms } from "@/lib/program/campaigns/platforms";
import { onCluster } from "@/lib/testing/database/cluster";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { sweepInstallation } from "@/lib/web/background/sweep";

useService({ LOG_LEVEL: "silent" });

test.skipIf(onCluster())(
  "a failing step (a cluster has no triggers) holds back neither rewards nor the other steps",
  async () => {
    const { orm, pool } = database();
    const { ctx: granting, campaignId } = await makeTenant({ threshold: 5 });
    const key = { appId: granting.app.id, campaignId, platform: "ios" as const };
    await orm.insert(referrerProgress).values({ ...key, referrerId: uuidv7(), confirmed: 4, earned: 0 });
    const { platforms } = campaignRules.parse({ name: "Launch", platforms: { ios: { threshold: 4 } } });
    await replacePlatforms(granting.db, key.appId, campaignId, platforms, new Set(["ios"]));
    const { ctx: purged } = await makeTenant({ app: { deletedAt: new Date(0) } });
    await pool.query(`
    insert into quota_usage values ('${uuidv7()}', '2020-01-01', 1);
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
    create trigger refuse before delete on quota_usage for each row execute function refuse()`);

    await expect(sweepInstallation(database())).rejects.toMatchObject({ cause: { message: "refused" } });
    const rules = await orm.select().from(campaignPlatforms).where(eq(campaignPlatforms.appId, key.appId));
    expect(rules).toEqual([expect.objectContaining({ grantAfter: null, granted: 1 })]);
    expect(await orm.select().from(apps).where(eq(apps.id, purged.app.id))).toEqual([]);
  },
);
