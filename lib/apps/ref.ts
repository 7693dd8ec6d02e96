import type { AppRef } from "@/lib/context";
import type { apps } from "@/lib/db/schema";

/** The part of an app's row that verbs carry in their context. */
export function appRef(row: typeof apps.$inferSelect): AppRef {
  return {
    id: row.id,
    name: row.name,
    sandbox: row.sandbox,
    appleAppId: row.appleAppId,
    androidPackage: row.androidPackage,
    landingDomain: row.landingDomainVerifiedAt ? row.landingDomain : null,
    iosBundleId: row.iosBundleId,
  };
}
