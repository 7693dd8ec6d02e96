import { and, eq, ne } from "drizzle-orm";
import { RECORD_PREFIX } from "@/lib/contract/domain";
import type { Db } from "@/lib/platform/db/client";
import { apps, landingDomains } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { appSubject, systemContext } from "@/lib/tenants/apps/app";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { forgetDomain } from "./hosts";
import { checkDomainRecord } from "./proof";
import { FIELD } from "./update-domain";

const TAKEN = "Another app uses this domain, and its TXT record still exists";

/** Throws with a message that says what to correct in the DNS. */
async function requireRecord(domain: string, appId: string): Promise<void> {
  const proof = await checkDomainRecord(domain, appId);
  if (proof.state === "there") return;
  if (proof.state === "silent") {
    const message = `The name servers of ${domain} did not answer. Try again in a minute`;
    fail("SERVICE_UNAVAILABLE", message, { ...FIELD, cause: proof.cause });
  }
  const found = proof.found.length > 0 ? "has another value" : "does not exist yet";
  fail("VALIDATION_ERROR", `The TXT record ${RECORD_PREFIX}${domain} ${found}`, FIELD);
}

/**
 * The app that loses the domain: another app that is deleted or whose record no longer exists. The domain's owner decides
 * by the DNS. Throws CONFLICT while the records of both apps exist.
 */
async function formerHolder(db: Db, domain: string, appId: string): Promise<string | undefined> {
  const here = and(eq(landingDomains.domain, domain), ne(landingDomains.appId, appId));
  const [holder] = await db.orm
    .select({ id: apps.id, deletedAt: apps.deletedAt })
    .from(landingDomains)
    .innerJoin(apps, eq(apps.id, landingDomains.appId))
    .where(here);
  if (!holder || holder.deletedAt) return holder?.id;
  if ((await checkDomainRecord(domain, holder.id)).state === "missing") return holder.id;
  return fail("CONFLICT", TAKEN, FIELD);
}

/** Assigns the domain to the app if it is free or `former` loses it. A third app that was faster keeps it. */
async function take(db: Db, domain: string, appId: string, former: string | undefined): Promise<void> {
  const rows = landingDomains;
  if (former) await db.orm.delete(rows).where(and(eq(rows.domain, domain), eq(rows.appId, former)));
  await db.orm.insert(rows).values({ domain, appId }).onConflictDoNothing();
  const [holder] = await db.orm.select().from(rows).where(eq(rows.domain, domain));
  if (holder?.appId !== appId) fail("CONFLICT", TAKEN, FIELD);
}

/** Marks the domain as lost for `former`, whose team may not know the other app: an alert and the audit log say so. */
async function unverifyFormer(db: Db, domain: string, former: string): Promise<void> {
  const [app] = await db.orm
    .update(apps)
    .set({ landingDomainVerifiedAt: null, landingDomainLostAt: new Date() })
    .where(and(eq(apps.id, former), eq(apps.landingDomain, domain)))
    .returning();
  if (!app) return;
  await recordAudit(db, systemContext(db, app), {
    action: "app.domain_moved",
    ...appSubject(app),
    after: { landingDomain: domain },
  });
}

/**
 * Verifies the app's domain by its TXT record; from then on links use it. Throws VALIDATION_ERROR when the record
 * is missing, CONFLICT when another app has the domain, SERVICE_UNAVAILABLE when the DNS does not answer.
 */
export async function verifyDomain(ctx: Context): Promise<void> {
  const mine = eq(apps.id, ctx.app.id);
  const [stored] = await ctx.db.orm.select().from(apps).where(mine);
  const domain = stored?.landingDomain ?? fail("VALIDATION_ERROR", "Save a domain first", FIELD);
  await requireRecord(domain, ctx.app.id);
  const former = await formerHolder(ctx.db, domain, ctx.app.id);
  await ctx.db.transaction(async (db) => {
    const [app] = await db.orm.select().from(apps).where(mine).for("update");
    if (app?.landingDomain !== domain) fail("CONFLICT", "The domain was changed in the meantime", FIELD);
    await take(db, domain, ctx.app.id, former);
    if (former) await unverifyFormer(db, domain, former);
    const verified = { landingDomainVerifiedAt: new Date(), landingDomainLostAt: null };
    await db.orm.update(apps).set(verified).where(mine);
    await recordAudit(db, ctx, {
      action: "app.domain_verified",
      ...appSubject(ctx.app),
      after: { landingDomain: domain },
    });
  });
  await forgetDomain(ctx.app.id);
  if (former) await forgetDomain(former);
}
