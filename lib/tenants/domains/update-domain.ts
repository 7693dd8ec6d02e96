import { eq } from "drizzle-orm";
import { pick } from "@/lib/contract/pick";
import { apps, landingDomains } from "@/lib/platform/db/schema";
import { fail } from "@/lib/platform/errors";
import { appSubject } from "@/lib/tenants/apps/app";
import { changesOf, refuseUndoing } from "@/lib/tenants/audit/changes";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { forgetDomain } from "./hosts";
import { isOwnHost } from "./link";

/** The field of the form that a refusal names. */
export const FIELD = { field: "landingDomain" };

/**
 * Stores the domain that an app wants for its links; null removes it. Links use the shared host until `verifyDomain` has
 * found its record. Throws VALIDATION_ERROR for the service's own hosts, CONFLICT.
 */
export async function updateDomain(ctx: Context, domain: string | null): Promise<void> {
  if (domain && isOwnHost(domain)) {
    fail("VALIDATION_ERROR", "landingDomain must not be a host of this service", FIELD);
  }
  const mine = eq(apps.id, ctx.app.id);
  await ctx.db.transaction(async (db) => {
    const [app] = await db.orm.select().from(apps).where(mine).for("update");
    const before = pick(app ?? fail("NOT_FOUND", "There is no such app"), ["landingDomain"]);
    const after = { landingDomain: domain };
    await refuseUndoing({ ...ctx, db }, ctx.app.id, before, after);
    if (before.landingDomain === domain) return;
    await db.orm.delete(landingDomains).where(eq(landingDomains.appId, ctx.app.id));
    const unverified = { landingDomainVerifiedAt: null, landingDomainLostAt: null };
    await db.orm
      .update(apps)
      .set({ landingDomain: domain, ...unverified })
      .where(mine);
    await recordAudit(db, ctx, {
      action: "app.domain_changed",
      ...appSubject(ctx.app),
      ...changesOf(before, after),
    });
  });
  await forgetDomain(ctx.app.id);
}
