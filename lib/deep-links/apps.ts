import { and, asc, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { type Db, database } from "@/lib/db/client";
import { apps } from "@/lib/db/schema";

/** What phones are told of an app, so that its links open in it. */
export interface LinkedApp {
  appleTeamId: string | null;
  iosBundleId: string | null;
  androidPackage: string | null;
  androidFingerprints: string[];
}

/** More never fit into the 128 KiB that Apple reads of a file. */
const MOST = 5_000;

/**
 * The apps whose links a host answers: one for its own domain, else all of them. Those without a domain of their own
 * come first, then the older ones, so that what the size cuts off has another way.
 */
export async function linkedApps(appId: string | undefined, db: Db = database()): Promise<LinkedApp[]> {
  const iosReady = and(isNotNull(apps.appleTeamId), isNotNull(apps.iosBundleId));
  const androidReady = and(isNotNull(apps.androidPackage), sql`cardinality(${apps.androidFingerprints}) > 0`);
  return db.orm
    .select({
      appleTeamId: apps.appleTeamId,
      iosBundleId: apps.iosBundleId,
      androidPackage: apps.androidPackage,
      androidFingerprints: apps.androidFingerprints,
    })
    .from(apps)
    .where(and(isNull(apps.deletedAt), or(iosReady, androidReady), appId ? eq(apps.id, appId) : undefined))
    .orderBy(sql`${apps.landingDomainVerifiedAt} is not null`, asc(apps.id))
    .limit(MOST);
}
