import { asc, gt } from "drizzle-orm";
import type { Context } from "@/lib/platform/context";
import { CHUNK } from "@/lib/platform/db/chunks";
import type { Db } from "@/lib/platform/db/client";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { apps } from "@/lib/platform/db/schema";
import { log } from "@/lib/platform/log";
import { type App, systemContext } from "@/lib/tenants/apps/app";

/** Every app, deleted apps included, a page at a time along the primary key. */
export async function* everyApp(db: Db): AsyncGenerator<App> {
  let last = NIL_ID;
  for (;;) {
    const page = await db.orm.select().from(apps).where(gt(apps.id, last)).orderBy(asc(apps.id)).limit(CHUNK);
    yield* page;
    last = page.at(-1)?.id ?? last;
    if (page.length < CHUNK) return;
  }
}

/** Runs `work` for every app that is not deleted. A failure is logged and does not stop the other apps. */
export async function forEveryApp(
  db: Db,
  work: (ctx: Context) => Promise<void>,
  failure: string,
): Promise<void> {
  for await (const app of everyApp(db)) {
    if (app.deletedAt) continue;
    await work(systemContext(db, app)).catch((error: unknown) => {
      log().warn({ err: error, app: app.id }, failure);
    });
  }
}
