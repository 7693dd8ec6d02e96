import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { systemContext } from "@/lib/apps/system-context";
import type { Db } from "@/lib/db/client";
import { apps, codeRequests, refillRules } from "@/lib/db/schema";
import { log } from "@/lib/log";
import { advanceRequest } from "./advance";
import { MEANS, type Means } from "./means";
import { refillPools } from "./refill";

/** Requests of one round; the next one takes the rest. */
const MOST = 20;

/** Works on every request for codes that is due, one after the other; what fails for one does not stop the others. */
export async function runDueRequests(db: Db, means: Means = MEANS): Promise<void> {
  const due = await db.orm
    .select({ app: apps, id: codeRequests.id })
    .from(codeRequests)
    .innerJoin(apps, and(eq(apps.id, codeRequests.appId), isNull(apps.deletedAt)))
    .where(
      and(
        inArray(codeRequests.state, sql`('asked', 'made')`),
        lte(codeRequests.dueAt, sql`now()`),
        sql`(${codeRequests.leasedUntil} is null or ${codeRequests.leasedUntil} < now())`,
      ),
    )
    .orderBy(asc(codeRequests.dueAt))
    .limit(MOST);
  for (const { app, id } of due) {
    await advanceRequest(systemContext(db, app), id, means).catch((error: unknown) => {
      log().warn({ err: error, request: id }, "a request for codes was not worked on");
    });
  }
}

/** Looks at every pool that fills itself up. */
export async function runRefills(db: Db): Promise<void> {
  const found = await db.orm
    .selectDistinctOn([apps.id], { app: apps })
    .from(refillRules)
    .innerJoin(apps, and(eq(apps.id, refillRules.appId), isNull(apps.deletedAt)))
    .where(eq(refillRules.enabled, true));
  for (const { app } of found) {
    await refillPools(systemContext(db, app)).catch((error: unknown) => {
      log().warn({ err: error, app: app.id }, "the refills of an app were not looked at");
    });
  }
}
