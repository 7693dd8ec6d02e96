import { type SQL, sql } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";

/** The rows of a queue that are due and not leased. */
export interface DueRows {
  name: string;
  /**
   * Selects `app_id` and `at`, the time since which each is due, in the order of the index that the queue takes from; of
   * one app or all.
   */
  select: (appId?: string) => SQL;
}

/** The rows of a queue that wait although they are due. */
export interface Backlog {
  name: string;
  /** Seconds for which the oldest has been due; 0 where none is. */
  seconds: number;
  /** Their number, counted up to the limit of {@link backlogsOf}. */
  rows: number;
  /** The app of the oldest; null where that belongs to none. */
  app: string | null;
}

/** Due rows are counted up to this number, which takes some milliseconds. */
export const MAX_COUNTED = 10_000;

/** Seconds after which due rows are late: far more than a poll and a lease, less than operators want to hear about. */
export const LATE_S = 60;

/**
 * The age of the oldest due row of each queue, and how many are due up to `limit`. One statement that reads each index
 * from its start, so its cost does not grow with the tables.
 */
export function backlogsOf(
  queues: readonly DueRows[],
  { limit = 1, appId }: { limit?: number; appId?: string | undefined } = {},
): SQL {
  const questions = queues.map(
    ({ name, select }) => sql`
      select ${name}::text as name, coalesce(extract(epoch from now() - min(at)), 0)::float8 as seconds,
             count(*)::int as rows, nullif(max(app_id::text), ${NIL_ID}) as app
        from (${select(appId)} limit ${limit}) due`,
  );
  return sql.join(questions, sql` union all `);
}

/** {@link backlogsOf}, of one app or all. */
export async function readBacklogs(db: Db, queues: readonly DueRows[], appId?: string): Promise<Backlog[]> {
  const { rows } = await db.orm.execute<Backlog & Record<string, unknown>>(backlogsOf(queues, { appId }));
  return rows;
}

/** The backlogs that are late. */
export const lateOf = (backlogs: readonly Backlog[], seconds = LATE_S): Backlog[] =>
  backlogs.filter((backlog) => backlog.seconds > seconds);
