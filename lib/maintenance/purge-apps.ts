import { and, eq, isNotNull, lt, sql } from "drizzle-orm";
import { graceEnd } from "@/lib/apps/delete";
import type { Db } from "@/lib/db/client";
import { apps } from "@/lib/db/schema";
import { deleteAppRows } from "./app-rows";
import { deleteRows } from "./chunks";

/** Metacodes of all apps that one statement looks at. */
const PAGE = 10_000;

/**
 * Metacodes that the app's referrers gave up, which stayed reserved for them. No index leads from an app to these, and
 * an app goes seldom: all of the directory is walked. Returns how many went.
 */
async function deleteFormerSlugs(db: Db, appId: string): Promise<number> {
  let gone = 0;
  let last = "";
  for (;;) {
    const { rows } = await db.orm.execute<{ slug: string }>(sql`
      select slug from (select slug from slug_directory where slug > ${last} order by slug limit ${PAGE}) page
       order by slug desc limit 1`);
    const end = rows[0]?.slug;
    if (end === undefined) return gone;
    gone += await deleteRows(
      db,
      sql`delete from slug_directory where app_id = ${appId} and slug > ${last} and slug <= ${end}`,
    );
    last = end;
  }
}

/** Takes away what is left of apps that were deleted and can no longer be brought back; returns how many rows went. */
export async function purgeApps(db: Db, now: Date): Promise<number> {
  const dead = await db.orm
    .select({ id: apps.id })
    .from(apps)
    .where(and(isNotNull(apps.deletedAt), lt(apps.deletedAt, graceEnd(now.getTime()))));
  let gone = 0;
  for (const { id } of dead) {
    gone += await deleteAppRows(db, id);
    gone += await deleteFormerSlugs(db, id);
    // The app's own row goes last: until then the next run finds what an interrupted one left.
    await db.orm.delete(apps).where(eq(apps.id, id));
    gone += 1;
  }
  return gone;
}
