import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import pLimit from "p-limit";
import type { Db } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";
import { log } from "@/lib/platform/log";
import { systemContext } from "@/lib/tenants/apps/app";
import type { Context } from "@/lib/tenants/context";

/** Apps that are worked on at once: one whose work takes long, as while its rows are locked, delays the others little. */
const AT_ONCE = 2;

/**
 * Runs `work` for each app whose id a statement selects and that is not deleted. A failure is logged and does not stop
 * the other apps. Returns the number of apps and the ids of those for which it failed.
 */
export async function forApps(
  db: Db,
  ids: SQL,
  work: (ctx: Context) => Promise<unknown>,
  failure: string,
): Promise<{ found: number; failed: string[] }> {
  const failed: string[] = [];
  const found = await db.orm
    .select()
    .from(apps)
    .where(and(sql`${apps.id} in (${ids})`, isNull(apps.deletedAt)));
  await pLimit(AT_ONCE).map(found, (app) =>
    work(systemContext(db, app)).catch((error: unknown) => {
      failed.push(app.id);
      log().warn({ err: error, app: app.id }, failure);
    }),
  );
  return { found: found.length, failed };
}

/** The context of an app in which the service itself acts; undefined for one that is deleted. */
export async function findSystemContext(db: Db, appId: string): Promise<Context | undefined> {
  const [app] = await db.orm
    .select()
    .from(apps)
    .where(and(eq(apps.id, appId), isNull(apps.deletedAt)));
  return app && systemContext(db, app);
}
