import { eq } from "drizzle-orm";
import type { Context } from "@/lib/context";
import type { Attention } from "@/lib/contract/overview";
import { apps } from "@/lib/db/schema";

/** An own domain whose record is gone: another app could take it. */
export async function domainAttention(ctx: Context): Promise<Attention[]> {
  const [app] = await ctx.db.orm.select().from(apps).where(eq(apps.id, ctx.app.id));
  if (!app?.landingDomain || !app.landingDomainLostAt) return [];
  return [{ kind: "domain_lost", id: app.id, name: app.landingDomain, at: app.landingDomainLostAt }];
}
