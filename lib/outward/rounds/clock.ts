import { sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { LEASE_S } from "@/lib/platform/jobs/queue";
import { pullDueRows } from "@/lib/platform/jobs/rounds";
import { log } from "@/lib/platform/log";
import { RECOUNT_MARK } from "@/lib/program/stats/history";

/** Clocks of a server and of the one that replaces it differ by less. */
const TOLERANCE = sql`interval '5 seconds'`;

/** Cursors that new events may have fallen behind: rounds run every minute, so a change is noticed well within this. */
const CONCERNED = sql`interval '10 minutes'`;

const LAST_RUN = sql`greatest(started_at, seen_at, marked_at)`;
const IN_FUTURE = sql`${LAST_RUN} > now() + ${TOLERANCE}`;

const LONGEST_LEASE = sql`now() + make_interval(secs => ${LEASE_S})`;

const RESTARTED = sql`
  seen_at = null, started_at = null, marked_at = null,
  leased_until = case when leased_until > ${LONGEST_LEASE} then ${LONGEST_LEASE} else leased_until end`;

/**
 * Repairs what a database clock that was set back leaves: rounds and queues would stop until it has caught up, and
 * events get ids below the roll-up's cursors and would never be counted. A round that ran in the future gives the change
 * away, because its times are the database's own. Returns whether the clock was set back.
 */
export async function repairClock(db: Db): Promise<boolean> {
  const former = await db.orm.execute<{ time: string | null }>(
    sql`select max(${LAST_RUN})::text as time from rounds where app_id = ${NIL_ID} and ${IN_FUTURE}`,
  );
  const time = former.rows[0]?.time;
  if (!time) return false;
  await pullDueRows(db, time);
  return db.transaction(async ({ orm }) => {
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
