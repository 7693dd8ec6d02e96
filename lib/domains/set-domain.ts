import { eq } from "drizzle-orm";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { apps, landingDomains } from "@/lib/db/schema";
import { fail } from "@/lib/errors";
import { forgetDomain } from "./forget";
import { isOwnHost } from "./host";

const FIELD = { field: "landingDomain" };

/**
 * Names the domain that an app wants for its links, or none; it counts once `verifyDomain` has seen its record. Links
 * lead to the shared host until then. Throws VALIDATION_ERROR for the service's own hosts.
 */
export async function setDomain(ctx: Context, domain: string | null): Promise<void> {
  if (domain && isOwnHost(domain)) {
    fail("VALIDATION_ERROR", "landingDomain must not be a host of this service itself", FIELD);
  }
  const mine = eq(apps.id, ctx.app.id);
  await ctx.db.transaction(async (db) => {
    const [app] = await db.orm.select().from(apps).where(mine).for("update");
    const before = (app ?? fail("NOT_FOUND", "There is no such app")).landingDomain;
    if (before === domain) return;
    await db.orm.delete(landingDomains).where(eq(landingDomains.appId, ctx.app.id));
    const unproved = { landingDomainVerifiedAt: null, landingDomainLostAt: null };
    await db.orm
      .update(apps)
      .set({ landingDomain: domain, ...unproved })
      .where(mine);
    await recordAudit(db, ctx, {
      ...{ action: "app.domain_changed", subject: "app", subjectId: ctx.app.id, subjectName: ctx.app.name },
      before: { landingDomain: before },
      after: { landingDomain: domain },
    });
  });
  await forgetDomain(ctx.app.id);
}
