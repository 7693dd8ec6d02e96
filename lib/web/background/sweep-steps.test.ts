import { eq, inArray, isNotNull, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, onTestFinished, test, vi } from "vitest";
import { campaignRules } from "@/lib/contract/campaign";
import { database } from "@/lib/platform/db/client";
import { firstIdAt } from "@/lib/platform/db/index-ranges";
import { apps, batches, campaignPlatforms, referrerProgress } from "@/lib/platform/db/schema";
import { log } from "@/lib/platform/log";
import { replacePlatforms } from "@/lib/program/campaigns/platforms";
import { sweepApp } from "@/lib/program/retention/sweep-tenant";
import { resetSandbox } from "@/lib/program/sandbox/reset";
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

test.skipIf(onCluster())(
  "an app that cannot be purged holds back no later one, and a table that cannot be swept none of the app's others",
  async () => {
    const { orm, pool } = database();
    const app = { deletedAt: new Date(0) };
    const [failing, purged] = [await makeTenant({ app }), await makeTenant({ app })].map(
      ({ ctx }) => ctx.app.id,
    );
    const [old, id] = [new Date(0), firstIdAt(new Date(0))];
    for (const appId of [failing, purged]) {
      await orm.execute(
        sql`insert into idempotency_keys values (${appId}, 'redeem', ${uuidv7()}, '\\x00', '{}', ${old})`,
      );
      await orm.execute(sql`insert into clicks values (${appId}, ${id}, ${uuidv7()}, '\\x00', ${old})`);
    }
    await pool.query(`
    create function refuse_key() returns trigger language plpgsql as $$ begin raise exception 'refused key'; end $$;
    create trigger refuse before delete on idempotency_keys for each row when (old.app_id = '${failing}')
      execute function refuse_key()`);

    await expect(sweepApp(database(), String(failing), new Date())).rejects.toThrow();
    const { rows } = await orm.execute(sql`select app_id from clicks`);
    expect(rows).toEqual([{ app_id: purged }]);

    await expect(sweepInstallation(database())).rejects.toThrow();
    const left = await orm.select({ id: apps.id }).from(apps).where(isNotNull(apps.deletedAt));
    expect(left).toEqual([{ id: failing }]);
  },
);

test("an import that cannot be removed, because its batch is locked, holds back the removal of no other", async () => {
  const { orm, pool } = database();
  const ids = [await makeTenant(), await makeTenant()].map(({ ctx }) => ctx.app.id);
  const dead = { state: "importing", createdAt: new Date(0) } as const;
  await orm.update(batches).set(dead).where(inArray(batches.appId, ids));
  const client = await pool.connect();
  await client.query("begin");
  await client.query("select 1 from batches where app_id = $1 for update", ids.slice(0, 1));
  await expect(sweepInstallation(database())).rejects.toThrow();
  await client.query("rollback");
  client.release();
  const left = orm.select({ app: batches.appId }).from(batches).where(eq(batches.state, "importing"));
  expect(new Set((await left).map(({ app }) => app))).toEqual(new Set(ids.slice(0, 1)));
});

test.skipIf(onCluster())(
  "a reset ends while clicks are added to the sandbox as fast as they are deleted",
  async () => {
    const { ctx } = await makeTenant({ sandbox: true });
    const { orm, pool } = database();
    // The trigger ends on its own at some time, so that an endless reset fails the test and does not hang.
    await pool.query(`
  insert into clicks values ('${ctx.app.id}', '${uuidv7()}', '${uuidv7()}', '\\x00', now());
  create sequence clicks_added;
  create function click_again() returns trigger language plpgsql as $$ begin
    if nextval('clicks_added') < 200 then
      insert into clicks values (old.app_id, gen_random_uuid(), old.referrer_id, '\\x00', now());
    end if;
    return null; end $$;
  create trigger click_again after delete on clicks for each row execute function click_again()`);
    await resetSandbox(ctx);
    const { rows } = await orm.execute(
      sql`select count(*)::int as count from clicks where app_id = ${ctx.app.id}`,
    );
    expect(rows).toEqual([{ count: 1 }]);
  },
);
