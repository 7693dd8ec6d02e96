import { asc, gt } from "drizzle-orm";
import type { App } from "@/lib/apps/record";
import { systemContext } from "@/lib/apps/system-context";
import type { Context } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import { apps } from "@/lib/db/schema";
import { log } from "@/lib/log";
import { CHUNK } from "@/lib/maintenance/chunks";

const NIL = "00000000-0000-0000-0000-000000000000";

/** Every app, deleted ones too, a page at a time along the primary key. */
export async function* everyApp(db: Db): AsyncGenerator<App> {
  let last = NIL;
  for (;;) {
    const page = await db.orm.select().from(apps).where(gt(apps.id, last)).orderBy(asc(apps.id)).limit(CHUNK);
    yield* page;
    last = page.at(-1)?.id ?? last;
    if (page.length < CHUNK) return;
  }
}

/** Does something for every app that is in use; what fails for one is logged and does not stop the others. */
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
