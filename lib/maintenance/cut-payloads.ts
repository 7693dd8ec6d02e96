import { sql } from "drizzle-orm";
import type { Db } from "@/lib/db/client";
import { CHUNK, idFrom } from "@/lib/maintenance/chunks";
import { shared } from "@/lib/shared";

const DAY = 24 * 3_600_000;
const NIL = "00000000-0000-0000-0000-000000000000";

/** Up to where this process has cut the events of each app; one that has just started looks at all of them once. */
const places = () => shared("maintenance.payloads", () => new Map<string, string>());

/** The last event of the next page before a moment. */
async function endOfPage(db: Db, appId: string, after: string, before: string): Promise<string | undefined> {
  const { rows } = await db.orm.execute<{ id: string }>(sql`
    select id from (select id from provider_events where app_id = ${appId} and id > ${after} and id < ${before}
                     order by id limit ${CHUNK}) page order by id desc limit 1`);
  return rows[0]?.id;
}

/**
 * Cuts what providers sent down to what was read in it, once it is older than its app wants to keep it. Returns how
 * many events were cut.
 */
export async function cutPayloads(
  db: Db,
  { id: appId, payloadDays }: { id: string; payloadDays: number },
  now: Date,
): Promise<number> {
  const before = idFrom(new Date(now.getTime() - payloadDays * DAY));
  let cut = 0;
  for (;;) {
    const after = places().get(appId) ?? NIL;
    const end = await endOfPage(db, appId, after, before);
    if (!end) return cut;
    const { rowCount } = await db.orm.execute(sql`update provider_events set payload = '{}'
      where app_id = ${appId} and id > ${after} and id <= ${end} and payload <> '{}'`);
    cut += rowCount ?? 0;
    places().set(appId, end);
  }
}
