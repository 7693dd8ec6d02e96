import { and, asc, eq, gt, isNull } from "drizzle-orm";
import { systemContext } from "@/lib/apps/system-context";
import { recordAudit } from "@/lib/audit/record";
import type { Db } from "@/lib/db/client";
import { apps, landingDomains } from "@/lib/db/schema";
import { log } from "@/lib/log";
import { findProof } from "./records";

const PAGE = 100;

type Holding = { app: typeof apps.$inferSelect; domain: string };

/** Domains in use, a page at a time. */
async function* holdings(db: Db): AsyncGenerator<Holding> {
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

/** Notes that a record went, or that it is back. Several processes may look; only a change is written. */
async function note(db: Db, { app, domain }: Holding, lost: boolean): Promise<void> {
  if ((app.landingDomainLostAt !== null) === lost) return;
  await db.transaction(async (inside) => {
    const mine = and(eq(apps.id, app.id), eq(apps.landingDomain, domain));
    const [now] = await inside.orm.select().from(apps).where(mine).for("update");
    if (!now || (now.landingDomainLostAt !== null) === lost) return;
    await inside.orm
      .update(apps)
      .set({ landingDomainLostAt: lost ? new Date() : null })
      .where(mine);
    await recordAudit(inside, systemContext(inside, app), {
      action: lost ? "app.domain_record_lost" : "app.domain_record_back",
      ...{ subject: "app", subjectId: app.id, subjectName: app.name, after: { landingDomain: domain } },
    });
  });
}

/**
 * Looks whether every domain in use still has its record. A missing one is said in the dashboard, and links keep
 * working: a slip in the DNS shall not break links that people have sent. Silence of the DNS changes nothing.
 */
export async function watchDomains(db: Db): Promise<void> {
  for await (const holding of holdings(db)) {
    const proof = await findProof(holding.domain, holding.app.id);
    if (proof.state === "silent") {
      log().warn(
        { err: proof.cause, app: holding.app.id },
        "the record of a landing domain was not looked up",
      );
    } else await note(db, holding, proof.state === "missing");
  }
}
