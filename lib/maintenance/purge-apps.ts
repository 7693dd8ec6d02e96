import { and, eq, isNotNull, lt } from "drizzle-orm";
import { graceEnd } from "@/lib/apps/delete";
import type { Db } from "@/lib/db/client";
import { apps } from "@/lib/db/schema";
import { deleteAppRows } from "./app-rows";

/** Takes away what is left of apps that were deleted and can no longer be brought back; returns how many rows went. */
export async function purgeApps(db: Db, now: Date): Promise<number> {
  const dead = await db.orm
    .select({ id: apps.id })
    .from(apps)
    .where(and(isNotNull(apps.deletedAt), lt(apps.deletedAt, graceEnd(now.getTime()))));
  let gone = 0;
  for (const { id } of dead) {
    gone += await deleteAppRows(db, id);
    // The app's own row goes last: until then the next run finds what an interrupted one left.
    await db.orm.delete(apps).where(eq(apps.id, id));
    gone += 1;
  }
  return gone;
}
