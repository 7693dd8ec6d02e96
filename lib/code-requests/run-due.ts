import { and, asc, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import { systemContext } from "@/lib/apps/system-context";
import { Lanes } from "@/lib/codes/lanes";
import type { Db } from "@/lib/db/client";
import { apps, codeRequests, refillRules } from "@/lib/db/schema";
import { log } from "@/lib/log";
import { advanceRequest } from "./advance";
import { MEANS, type Means } from "./means";
import { refillPools } from "./refill";

/** Requests of one round; the next one takes the rest. */
const MOST = 20;
/** Of them so many at once: one whose store does not answer holds a place for half a minute. */
const WIDTH = 4;

const noteFailure = (request: string) => (error: unknown) =>
  log().warn({ err: error, request }, "a request for codes was not worked on");

/** Works on every request for codes that is due; what fails for one, or hangs, does not stop the others. */
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
  const lanes = new Lanes(WIDTH);
  for (const { app, id } of due) {
    await lanes.add(() => advanceRequest(systemContext(db, app), id, means).catch(noteFailure(id)));
  }
  await lanes.finish();
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
