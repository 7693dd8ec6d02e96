import { sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { batchCounts, dailyStats, rollupCursors } from "@/lib/db/schema";
import { readHistory } from "@/lib/stats/history-pages";
import { HistorySums } from "@/lib/stats/history-sums";

/** Rows that one statement writes. */
const CHUNK = 500;

interface Boundary extends Record<string, unknown> {
  id: string;
  at: string;
}

/** The end of the history: from this id on the outbox is read. */
async function boundaryOf(db: Db, settledSeconds: number): Promise<Boundary> {
  const { rows } = await db.orm.execute<Boundary>(
    sql`select first_id(at)::text as id, at::text
          from (select clock_timestamp() - make_interval(secs => ${settledSeconds}) as at) now`,
  );
  const [boundary] = rows;
  if (!boundary) throw new Error("the database did not tell the time");
  return boundary;
}

function chunksOf<Row>(rows: Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / CHUNK) }, (_, n) =>
    rows.slice(n * CHUNK, (n + 1) * CHUNK),
  );
}

/** Clicks of a past day are all in the tables; today's go on being counted while the history is read. */
const clicked = sql`case when ${dailyStats.day} < (now() at time zone 'UTC')::date then excluded.clicked
                         else greatest(${dailyStats.clicked}, excluded.clicked) end`;

async function write(db: Db, appId: string, sums: HistorySums): Promise<void> {
  for (const rows of chunksOf(sums.days(appId))) {
    await db.orm
      .insert(dailyStats)
      .values(rows)
      .onConflictDoUpdate({
        target: [dailyStats.appId, dailyStats.day, dailyStats.campaignId, dailyStats.platform],
        set: {
          clicked,
          ...{ assigned: sql`excluded.assigned`, confirmed: sql`excluded.confirmed` },
          ...{
            reversed: sql`excluded.reversed`,
            earned: sql`excluded.earned`,
            claimed: sql`excluded.claimed`,
          },
        },
      });
  }
  for (const rows of chunksOf(sums.batches(appId))) {
    await db.orm
      .insert(batchCounts)
      .values(rows)
      .onConflictDoUpdate({
        target: [batchCounts.appId, batchCounts.batchId],
        set: { given: sql`excluded.given`, confirmed: sql`excluded.confirmed` },
      });
  }
}

/**
 * Counts what happened to an app before its cursor, from the tables themselves: all of it where the release before had
 * no figures and the outbox keeps seven days. Reads pages with nothing locked, then writes the sums together with the
 * cursor, whose key lets one process through. A process that dies has written nothing.
 */
export async function addHistory(db: Db, appId: string, settledSeconds: number): Promise<void> {
  const boundary = await boundaryOf(db, settledSeconds);
  const sums = new HistorySums();
  for await (const group of readHistory(db, appId, boundary.at)) sums.add(group);
  await db.transaction(async (tx) => {
    const begun = await tx.orm
      .insert(rollupCursors)
      .values({ appId, lastId: boundary.id, rolledAt: sql`now()` })
      .onConflictDoNothing()
      .returning({ appId: rollupCursors.appId });
    if (begun.length > 0) await write(tx, appId, sums);
  });
}
