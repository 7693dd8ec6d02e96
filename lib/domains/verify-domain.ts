import { and, eq, ne } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { RECORD_PREFIX } from "@/lib/contract/domain";
import type { Db } from "@/lib/db/client";
import { apps, landingDomains } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { forgetDomain } from "./forget";
import { findProof } from "./records";

const FIELD = { field: "landingDomain" };
const TAKEN = "Another app uses this domain, and its TXT record is still there";

/** Refuses in words that tell what to mend in the DNS. */
async function prove(domain: string, appId: string): Promise<void> {
  const proof = await findProof(domain, appId);
  if (proof.state === "there") return;
  if (proof.state === "silent") {
    const words = `The name servers of ${domain} did not answer. Try again in a minute`;
    fail("SERVICE_UNAVAILABLE", words, { ...FIELD, cause: proof.cause });
  }
  const found = proof.found.length > 0 ? "has another value" : "is not there yet";
  fail("VALIDATION_ERROR", `The TXT record ${RECORD_PREFIX}${domain} ${found}`, FIELD);
}

/**
 * Who has the domain now and may lose it: another app that the record names no longer. Who rules the domain decides.
 * Throws CONFLICT where both are named.
 */
async function formerHolder(db: Db, domain: string, appId: string): Promise<string | undefined> {
  const here = and(eq(landingDomains.domain, domain), ne(landingDomains.appId, appId));
  const [holder] = await db.orm.select().from(landingDomains).where(here);
  if (!holder) return undefined;
  if ((await findProof(domain, holder.appId)).state === "missing") return holder.appId;
  return fail("CONFLICT", TAKEN, FIELD);
}

/** Makes the domain this app's: it is free, or `former` gives it up. A third app that was quicker keeps it. */
async function take(db: Db, domain: string, appId: string, former: string | undefined): Promise<void> {
  const rows = landingDomains;
  if (former) await db.orm.delete(rows).where(and(eq(rows.domain, domain), eq(rows.appId, former)));
  await db.orm.insert(rows).values({ domain, appId }).onConflictDoNothing();
  const [holder] = await db.orm.select().from(rows).where(eq(rows.domain, domain));
  if (holder?.appId !== appId) fail("CONFLICT", TAKEN, FIELD);
}

async function loseTo(db: Db, domain: string, former: string): Promise<void> {
  await db.orm
    .update(apps)
    .set({ landingDomainVerifiedAt: null, landingDomainLostAt: null })
    .where(and(eq(apps.id, former), eq(apps.landingDomain, domain)));
}

/**
 * Looks for the record of the domain that the app wants; from then on its links lead there. Throws VALIDATION_ERROR
 * where the record is missing, CONFLICT where it is another app's, SERVICE_UNAVAILABLE where the DNS is silent.
 */
export async function verifyDomain(ctx: Context): Promise<void> {
  const mine = eq(apps.id, ctx.app.id);
  const [wanting] = await ctx.db.orm.select().from(apps).where(mine);
  const domain = wanting?.landingDomain ?? fail("VALIDATION_ERROR", "Save a domain first", FIELD);
  await prove(domain, ctx.app.id);
  const former = await formerHolder(ctx.db, domain, ctx.app.id);
  await ctx.db.transaction(async (db) => {
    const [app] = await db.orm.select().from(apps).where(mine).for("update");
    if (app?.landingDomain !== domain) fail("CONFLICT", "The domain was changed meanwhile", FIELD);
    await take(db, domain, ctx.app.id, former);
    if (former) await loseTo(db, domain, former);
    const proved = { landingDomainVerifiedAt: new Date(), landingDomainLostAt: null };
    await db.orm.update(apps).set(proved).where(mine);
    await recordAudit(db, ctx, {
      ...{ action: "app.domain_verified", subject: "app", subjectId: ctx.app.id, subjectName: ctx.app.name },
      after: { landingDomain: domain },
    });
  });
  await forgetDomain(ctx.app.id);
  if (former) await forgetDomain(former);
}
