import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { apps, landingDomains } from "@/lib/platform/db/schema";
import { log } from "@/lib/platform/log";
import { appSubject, systemContext } from "@/lib/tenants/apps/app";
import { recordAudit } from "@/lib/tenants/audit/record";
import { checkDomainRecord } from "./proof";

const PAGE = 100;

type DomainInUse = { app: typeof apps.$inferSelect; domain: string };

/** All domains in use, read in pages. */
async function* domainsInUse(db: Db): AsyncGenerator<DomainInUse> {
  let last = "";
  for (;;) {
    const page = await db.orm
      .select({ app: apps, domain: landingDomains.domain })
      .from(landingDomains)
      .innerJoin(apps, and(eq(apps.id, landingDomains.appId), isNull(apps.deletedAt)))
      .where(gt(landingDomains.domain, last))
      .orderBy(asc(landingDomains.domain))
      .limit(PAGE);
    yield* page;
    last = page.at(-1)?.domain ?? last;
    if (page.length < PAGE) return;
  }
}

/** Stores that a record was lost or found again. Several processes check; only a transition is written. */
async function storeRecordState(db: Db, { app, domain }: DomainInUse, lost: boolean): Promise<void> {
  if ((app.landingDomainLostAt !== null) === lost) return;
  await db.transaction(async (tx) => {
    const mine = and(eq(apps.id, app.id), eq(apps.landingDomain, domain));
    const [now] = await tx.orm.select().from(apps).where(mine).for("update");
    if (!now || (now.landingDomainLostAt !== null) === lost) return;
    await tx.orm
      .update(apps)
      .set({ landingDomainLostAt: lost ? new Date() : null })
      .where(mine);
    await recordAudit(tx, systemContext(tx, app), {
      action: lost ? "app.domain_record_lost" : "app.domain_record_back",
      ...appSubject(app),
      after: { landingDomain: domain },
    });
  });
}

/**
 * Checks the record of every domain in use. A missing record is shown in the dashboard, but links keep working: a mistake
 * in the DNS must not break links that were already shared. A timeout of the DNS changes nothing.
 */
export async function watchDomains(db: Db): Promise<void> {
  for await (const used of domainsInUse(db)) {
    const proof = await checkDomainRecord(used.domain, used.app.id);
    if (proof.state === "silent") {
      log().warn({ err: proof.cause, app: used.app.id }, "could not look up the record of a landing domain");
    } else await storeRecordState(db, used, proof.state === "missing");
  }
}
