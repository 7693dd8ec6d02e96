import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type pg from "pg";
import type { SampleWorkspace } from "@/lib/cli/sample-workspace/build";

/** Creates a workspace, app and campaign by `npm run sample`. */
export async function createBenchTenant(databaseUrl: string): Promise<SampleWorkspace> {
  const args = ["lib/cli/run.mjs", "sample", "--json", "--plan", "enterprise", "--codes", "1"];
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  const { stdout } = await promisify(execFile)(process.execPath, args, { env });
  return JSON.parse(stdout) as SampleWorkspace;
}

/** Fills a pool with a batch of free codes that expires before the sample's own, so that it is used first. */
export async function addCodes(db: pg.Client, app: string, pool: string, count: number): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into batches (app_id, id, pool_id, kind, state, size, expires_at)
     values ($1, new_id(), $2, 'one_time', 'ready', $3, now() + interval '1 year') returning id`,
    [app, pool, count],
  );
  const batch = rows[0]?.id ?? "";
  await db.query(
    `insert into codes (app_id, id, batch_id, platform, code, slot)
     select $1, new_id(), $2::uuid, 'ios', upper(substr(md5($2::uuid::text || n), 1, 16)), floor(random() * 2147483647)::int
       from generate_series(1, $3::int) n`,
    [app, batch, count],
  );
  return batch;
}

/** Inserts referrers whose uid and metacode are both `<prefix><n>`, and returns these names. */
export async function addReferrers(
  db: pg.Client,
  app: string,
  prefix: string,
  count: number,
): Promise<string[]> {
  await db.query(
    `insert into referrers (app_id, id, uid, slug, metadata)
     select $1, new_id(), $2::text || n, $2::text || n, '{"name": "Ada"}' from generate_series(0, $3::int - 1) n`,
    [app, prefix, count],
  );
  await db.query(
    `insert into slug_directory (slug, app_id, referrer_id)
     select slug, app_id, id from referrers where app_id = $1 and slug like $2::text || '%'`,
    [app, prefix],
  );
  return Array.from({ length: count }, (_, n) => `${prefix}${n}`);
}

/**
 * Switches on every rule of a redeem, with limits that are never reached: an order of named offers, a line in which referees
 * wait and codes are set aside, the refusal of reciprocal referrals, a budget, a hold, and the owner's own texts in German.
 */
export async function switchEveryRuleOn(
  db: pg.Client,
  sample: SampleWorkspace,
  batch: string,
): Promise<void> {
  const { app_id: app, campaign_id: campaign, pools } = sample;
  await db.query("update batches set offer = 'spring' where app_id = $1 and id = $2", [app, batch]);
  await db.query("update pools set offers = '{spring,autumn}' where app_id = $1 and id = $2", [
    app,
    pools.referee_ios,
  ]);
  await db.query(
    `update campaigns set refuse_reciprocal = true, hold_days = 14, code_budget = 1000000, reward_budget = 1000000
      where app_id = $1 and id = $2`,
    [app, campaign],
  );
  await db.query("update campaign_platforms set has_line = true where app_id = $1 and campaign_id = $2", [
    app,
    campaign,
  ]);
  await db.query(
    `insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place)
     select $1, $2, 'waiting-' || n, 'ios', new_id(), new_id() from generate_series(1, 5000) n`,
    [app, campaign],
  );
  await db.query(
    `insert into landing_texts (app_id, language, key, text) values ($1, 'de', 'referredBy', '{inviter} lädt dich zu {app} ein')`,
    [app],
  );
}

/** Inserts referrals of `confirm-<n>` that are not yet confirmed. */
export async function addOpenReferrals(
  db: pg.Client,
  app: string,
  campaign: string,
  slugs: string[],
  count: number,
): Promise<void> {
  await db.query(
    `insert into referrals (app_id, campaign_id, referee_uid, id, referrer_id, platform)
     select $1, $2, 'confirm-' || n, new_id(), r.id, 'ios'
       from generate_series(0, $3::int - 1) n
       join referrers r on r.app_id = $1 and r.slug = ($4::text[])[1 + n % cardinality($4::text[])]`,
    [app, campaign, count, slugs],
  );
  await db.query(
    `insert into codes (app_id, id, batch_id, platform, code, slot, status, redeemed_by_uid, referrer_id, assignment_id, assigned_at)
     select $1, new_id(), b.id, 'ios', 'GIVEN' || f.referee_uid, 0, 'assigned', f.referee_uid, f.referrer_id, f.id, now()
       from referrals f
       join lateral (select id from batches where app_id = $1 limit 1) b on true
      where f.app_id = $1 and f.status = 'code_assigned'`,
    [app],
  );
}

/** Inserts referrers `claimer-<n>` with one unclaimed reward each. */
export async function addEarnedRewards(
  db: pg.Client,
  app: string,
  campaign: string,
  count: number,
): Promise<void> {
  await db.query(
    `insert into referrers (app_id, id, uid, slug)
     select $1, new_id(), 'claimer-' || n, 'claimer' || n from generate_series(0, $2::int - 1) n`,
    [app, count],
  );
  await db.query(
    `insert into rewards (app_id, id, referrer_id, campaign_id, platform, reward_number)
     select $1, new_id(), id, $2, 'ios', 1 from referrers where app_id = $1 and uid like 'claimer-%'`,
    [app, campaign],
  );
  await db.query(
    `insert into referrer_progress (app_id, referrer_id, campaign_id, platform, confirmed, earned)
     select $1, id, $2, 'ios', 3, 1 from referrers where app_id = $1 and uid like 'claimer-%'`,
    [app, campaign],
  );
}
