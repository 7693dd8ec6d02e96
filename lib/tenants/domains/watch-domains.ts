import { and, asc, eq, gt, isNull } from "drizzle-orm";
import type { Db } from "@/lib/platform/db/client";
import { apps, landingDomains } from "@/lib/platform/db/schema";
import { log } from "@/lib/platform/log";
import { singleton } from "@/lib/platform/singleton";
import { appSubject, systemContext } from "@/lib/tenants/apps/app";
import { recordAudit } from "@/lib/tenants/audit/record";
import { checkDomainRecord } from "./proof";

/** Domains that are looked up at once: each takes up to 10 s while a name server does not answer. */
const PAGE = 10;

/** A run begins no page after this, because it occupies one of the two slots of the installation's rounds. */
const RUN_MS = 60_000;

type DomainInUse = { app: typeof apps.$inferSelect; domain: string };

/** Stores that a record was lost or found again. Several processes check; only a transition is written. */
async function storeRecordState(db: Db, { app, domain }: DomainInUse, lost: boolean): Promise<void> {
  if ((app.landingDomainLostAt !== null) === lost) return;
  await db.transaction(async (tx) => {
    const mine = and(eq(apps.id, app.id), eq(apps.landingDomain, domain));
    const [now] = await tx.orm.select().from(apps).where(mine).for("update");
    if (!now || (now.landingDomainLostAt !== null) === lost) return;
    const landingDomainLostAt = lost ? new Date() : null;
    await tx.orm.update(apps).set({ landingDomainLostAt }).where(mine);
    await recordAudit(tx, systemContext(tx, app), {
      action: lost ? "app.domain_record_lost" : "app.domain_record_back",
      ...appSubject(app),
      after: { landingDomain: domain },
    });
  });
}

async function watchDomain(db: Db, { app, domain }: DomainInUse): Promise<void> {
  const proof = await checkDomainRecord(domain, app.id);
  if (proof.state !== "silent") return storeRecordState(db, { app, domain }, proof.state === "missing");
  log().warn({ err: proof.cause, app: app.id }, "could not look up the record of a landing domain");
}

/**
 * Checks the records of the domains in use, from where this process's last run ended. The dashboard shows a missing
 * record, but links keep working: a mistake in the DNS must not break shared links. A timeout changes nothing.
 */
export async function watchDomains(db: Db): Promise<void> {
  const last = singleton("domains.watched", () => ({ domain: "" }));
  for (const end = performance.now() + RUN_MS; performance.now() < end; ) {
    const page = await db.orm
      .select({ app: apps, domain: landingDomains.domain })
      .from(landingDomains)
      .innerJoin(apps, and(eq(apps.id, landingDomains.appId), isNull(apps.deletedAt)))
      .where(gt(landingDomains.domain, last.domain))
      .orderBy(asc(landingDomains.domain))
      .limit(PAGE);
    last.domain = page.at(PAGE - 1)?.domain ?? "";
    await Promise.all(page.map((used) => watchDomain(db, used)));
    if (!last.domain) return;
  }
}
