import { and, eq } from "drizzle-orm";
import { codes } from "@/lib/platform/db/schema";
import { clientOf } from "@/lib/testing/client";
import { makeTenant, type Tenant, type TenantOptions } from "@/lib/testing/tenant";

/** A tenant whose end user `ann` has a metacode. */
export async function referringTenant(options: TenantOptions = {}) {
  const tenant = await makeTenant(options);
  const api = clientOf(tenant.key);
  const metacode: string = (await api.referrer("ann")).body.metacode;
  return { tenant, api, metacode };
}

/** The codes of a tenant that are assigned and not confirmed. */
export async function assignedCodes({ ctx }: Tenant) {
  return ctx.db.orm
    .select()
    .from(codes)
    .where(and(eq(codes.appId, ctx.app.id), eq(codes.status, "assigned")));
}
