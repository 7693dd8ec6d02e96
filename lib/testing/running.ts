import { and, eq } from "drizzle-orm";
import { codes } from "@/lib/db/schema";
import { clientOf } from "@/lib/testing/client";
import { makeTenant, type Tenant, type TenantOptions } from "@/lib/testing/tenant";

/** A tenant whose user `ann` has a metacode to give away. */
export async function running(options: TenantOptions = {}) {
  const tenant = await makeTenant(options);
  const api = clientOf(tenant.key);
  const metacode: string = (await api.referrer("ann")).body.metacode;
  return { tenant, api, metacode };
}

/** The codes of a tenant that somebody has and no provider has confirmed. */
export async function assigned({ ctx }: Tenant) {
  return ctx.db.orm
    .select()
    .from(codes)
    .where(and(eq(codes.appId, ctx.app.id), eq(codes.status, "assigned")));
}
