import { sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { LEASE_S } from "@/lib/platform/jobs/queue";
import { pullDueRows } from "@/lib/platform/jobs/rounds";
import { log } from "@/lib/platform/log";
import { RECOUNT_MARK } from "@/lib/program/stats/history";

/** The most by which the clocks of a server and of its replacement differ. */
const TOLERANCE = sql`interval '5 seconds'`;

/** Cursors younger than this may be ahead of new events: rounds run every minute, so a change is noticed sooner. */
const CONCERNED = sql`interval '10 minutes'`;

const LAST_RUN = sql`greatest(started_at, seen_at, marked_at)`;
const IN_FUTURE = sql`${LAST_RUN} > now() + ${TOLERANCE}`;

/** The row whose lease one process has while it repairs. */
const REPAIR = "clock";

/** Longer than the statements of {@link pullDueRows} may take. */
const REPAIR_S = 60;

const LONGEST_LEASE = sql`now() + make_interval(secs => ${LEASE_S})`;

const RESTARTED = sql`
  seen_at = null, started_at = null, marked_at = null,
  leased_until = case when leased_until > ${LONGEST_LEASE} then ${LONGEST_LEASE} else leased_until end`;

/**
 * Repairs what a database clock that was set back leaves, and returns whether it was set back: rounds and queues would
 * stop until it catches up, and events would get ids below the roll-up's cursors and never be counted. A round that ran
 * in the future shows the change, because its times are the database's own.
 */
export async function repairClock(db: Db): Promise<boolean> {
  if (!(await formerTime(db)) || !(await takeRepair(db))) return false;
  // Another process may have repaired it before the lease.
  const former = await formerTime(db);
  // Pulls due rows first, in one process: if it dies before the rounds are repaired, another pulls them again after
  // its lease. So some are due too early, and none hours late.
  if (former) await pullDueRows(db, former);
  return db.transaction(async ({ orm }) => {
    await orm.execute(sql`delete from rounds where app_id = ${NIL_ID} and name = ${REPAIR}`);
    const { rows } = await orm.execute(
      sql`update rounds set due_at = now(), ${RESTARTED} where app_id = ${NIL_ID} and ${IN_FUTURE} returning name`,
    );
    if (rows.length === 0) return false;
    await orm.execute(
      sql`update rounds set due_at = case when name = 'figures' then now() else due_at end, ${RESTARTED} where app_id <> ${NIL_ID} and ${IN_FUTURE}`,
    );
    const apps = await orm.execute(
      sql`update rollup_cursors set last_id = ${RECOUNT_MARK} where last_id > first_id(now() - ${CONCERNED})`,
    );
    log().warn(
      { apps: apps.rowCount },
      "the database's clock was set back: figures of these apps are counted again",
    );
    return true;
  });
}

/** The time, as text, at which a round last ran in the future; null if none did. */
async function formerTime({ orm }: Db): Promise<string | null> {
  const { rows } = await orm.execute<{ time: string | null }>(
    sql`select max(${LAST_RUN})::text as time from rounds where app_id = ${NIL_ID} and ${IN_FUTURE}`,
  );
  return rows[0]?.time ?? null;
}

/**
 * Takes the lease of the repair unless another process has it; a lease from before the clock was set back counts as
 * ended. The tolerance is for a statement that waits for a processor: its time is older than that of a rival's lease.
 */
async function takeRepair({ orm }: Db): Promise<boolean> {
  const until = sql`now() + make_interval(secs => ${REPAIR_S})`;
  await orm.execute(sql`
    delete from rounds
     where app_id = ${NIL_ID} and name = ${REPAIR} and (leased_until <= now() or leased_until > ${until} + ${TOLERANCE})`);
  const { rows } = await orm.execute(sql`
    insert into rounds (app_id, name, leased_until) values (${NIL_ID}, ${REPAIR}, ${until})
    on conflict (app_id, name) do nothing returning name`);
  return rows.length > 0;
}
