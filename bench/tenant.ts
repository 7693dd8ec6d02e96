import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type pg from "pg";
import type { SampleWorkspace } from "@/lib/cli/demo/build";

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

/** Inserts referrers whose uid and metacode are both `<prefix><n>`, and returns these. */
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
