import type pg from "pg";
import { uuidv7 } from "uuidv7";

/** The ids of an app whose lists were filled by SQL. */
export interface ListedApp {
  app: string;
  workspace: string;
  batch: string;
  campaign: string;
  connection: string;
}

/** One row per second into the past, with ids of the same time. `$1` is the app, `$2` the number of rows. */
const ROWS = "generate_series(0, $2::int - 1) n";
const ID = "uuidv7(make_interval(secs => -n))";
const AT = "now() - make_interval(secs => n)";

const REFERRERS = `
  insert into referrers (app_id, id, uid, slug, status, metadata, created_at)
  select $1, ${ID}, 'user-' || n, 'm' || lpad(n::text, 8, '0'),
         case when n % 1000 = 7 then 'paused' else 'active' end,
         case when n % 2 = 0 then jsonb_build_object('name', 'Name ' || n) end, ${AT} from ${ROWS}`;

/** Three in five are not confirmed, one in fifty is reversed, one in a hundred is on the other platform. */
const REFERRALS = `
  insert into referrals (app_id, campaign_id, referee_uid, id, referrer_id, platform, status, created_at, confirmed_at, reversed_at)
  select $1, $3, 'guest-' || n, ${ID}, $4, case when n % 100 = 3 then 'android' else 'ios' end,
         case when n % 5 < 3 then 'code_assigned' else 'redeemed' end, ${AT},
         case when n % 5 >= 3 then now() end, case when n % 50 = 4 then now() end from ${ROWS}`;

const CODES = `
  insert into codes (app_id, id, batch_id, platform, code, slot, status, redeemed_by_uid, referrer_id, assignment_id, assigned_at)
  select $1, uuidv7(), $3, 'ios', upper(substr(md5(n::text), 1, 16)), floor(random() * 2147483647)::int,
         case when f.id is null then 'available' else 'assigned' end, f.referee_uid, f.referrer_id, f.id, f.created_at
    from ${ROWS}
    left join referrals f on f.app_id = $1 and f.campaign_id = $4 and f.referee_uid = 'guest-' || n and n % 2 = 0`;

const REQUESTS = `
  insert into request_log (app_id, id, key_id, method, path, status, error_code, micros, created_at)
  select $1, ${ID}, $3, 'POST', '/api/referee-redeem', case when n % 50 = 0 then 409 else 200 end,
         case when n % 50 = 0 then 'ALREADY_REDEEMED' end, 900, ${AT} from ${ROWS}`;

const EVENTS = `
  insert into provider_events (app_id, id, connection_id, event_id, type, uids, confirmation, verdict, payload, created_at)
  select $1, ${ID}, $3, 'event-' || n, 'INITIAL_PURCHASE', array['guest-' || n], '{"kind": "confirm"}',
         case when n % 50 = 0 then 'unmatched' else 'confirmed' end, '{"event": {"type": "INITIAL_PURCHASE"}}', ${AT}
    from ${ROWS}`;

const AUDIT = `
  insert into audit_log (workspace_id, id, app_id, actor_kind, actor_name, action, subject, subject_id, created_at)
  select $3, ${ID}, $1, 'system', 'Metacode', case when n % 50 = 0 then 'campaign.paused' else 'batch.imported' end,
         'campaign', n::text, ${AT} from ${ROWS}`;

/** Fills every list of a new app with `count` rows. */
export async function seedLists(db: pg.Client, count: number): Promise<ListedApp> {
  const [app, workspace, batch, pool, campaign, connection, key] = Array.from({ length: 7 }, uuidv7) as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  await db.query("insert into workspaces (id, name, plan) values ($1, 'Bench', 'enterprise')", [workspace]);
  await db.query("insert into apps (id, workspace_id, name) values ($1, $2, 'Bench')", [app, workspace]);
  await db.query(
    `insert into campaigns (app_id, id, type, name, status, activated_at) values ($1, $2, 'referral', 'Bench', 'active', now())`,
    [app, campaign],
  );
  await db.query(
    `insert into pools (app_id, id, platform, use, name) values ($1, $2, 'ios', 'referee', 'Bench')`,
    [app, pool],
  );
  await db.query(
    `insert into batches (app_id, id, pool_id, kind, state, size) values ($1, $2, $3, 'one_time', 'ready', $4)`,
    [app, batch, pool, count],
  );
  await db.query(
    "insert into provider_connections (id, app_id, provider, secret) values ($1, $2, 'generic', 'bench')",
    [connection, app],
  );
  await db.query(REFERRERS, [app, count]);
  const { rows } = await db.query<{ id: string }>("select id from referrers where app_id = $1 limit 1", [
    app,
  ]);
  await db.query(REFERRALS, [app, count, campaign, rows[0]?.id]);
  await db.query(CODES, [app, count, batch, campaign]);
  await db.query(REQUESTS, [app, count, key]);
  await db.query(EVENTS, [app, count, connection]);
  await db.query(AUDIT, [app, count, workspace]);
  return { app, workspace, batch, campaign, connection };
}
