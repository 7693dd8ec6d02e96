import { and, asc, eq, isNotNull, isNull, or, sql } from "drizzle-orm";
import { database } from "@/lib/platform/db/client";
import { apps } from "@/lib/platform/db/schema";

/** The identifiers by which a phone opens an app's links in the app. */
export interface LinkedApp {
  appleTeamId: string | null;
  iosBundleId: string | null;
  androidPackage: string | null;
  androidFingerprints: string[];
}

/** Maximum apps: more never fit into the 128 KiB that Apple reads of a file. */
const MAX_APPS = 5_000;

/**
 * Lists the apps whose links a host serves: the app of its own domain, or all. The size limit cuts off the end of the list, so
 * apps that can still use a domain of their own come last. Both groups list the oldest app of each workspace, then the second
 * of each, and so on, so that a workspace with many apps displaces no other.
 */
export async function linkedApps(appId: string | undefined): Promise<LinkedApp[]> {
  const iosReady = and(isNotNull(apps.appleTeamId), isNotNull(apps.iosBundleId));
  const androidReady = and(isNotNull(apps.androidPackage), sql`cardinality(${apps.androidFingerprints}) > 0`);
  const withDomain = sql`${apps.landingDomainVerifiedAt} is not null`;
  const nth = sql`row_number() over (partition by ${apps.workspaceId}, ${withDomain} order by ${apps.id})`;
  return database()
    .orm.select({
      appleTeamId: apps.appleTeamId,
      iosBundleId: apps.iosBundleId,
      androidPackage: apps.androidPackage,
      androidFingerprints: apps.androidFingerprints,
    })
    .from(apps)
    .where(and(isNull(apps.deletedAt), or(iosReady, androidReady), appId ? eq(apps.id, appId) : undefined))
    .orderBy(withDomain, nth, asc(apps.id))
    .limit(MAX_APPS);
}

/** Apple reads 128 KiB. Android documents no limit; ours only keeps its file from growing without bound. */
const MAX_BYTES = { apple: 128 * 1024, android: 1024 * 1024 };

/** Landing pages open in the app; paths below them, such as the share image, do not. */
const APPLE_PATHS = [{ "/": "/r/*/*", exclude: true }, { "/": "/r/*" }];
const ANDROID_PATHS = [...APPLE_PATHS, { "/": "*", exclude: true }];

/** An association file as JSON, and the number of apps that did not fit into it. */
export interface AssociationFile {
  text: string;
  left: number;
}

/** The longest prefix of the entries that fits into `most` bytes, wrapped by `wrap`. */
function fill<Entry>(most: number, entries: Entry[], wrap: (entries: Entry[]) => unknown): AssociationFile {
  let size = JSON.stringify(wrap(entries.slice(0, 1))).length;
  const fitting = entries.findIndex((entry) => {
    size += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return size > most;
  });
  const listed = fitting < 0 ? entries : entries.slice(0, fitting);
  return { text: JSON.stringify(wrap(listed)), left: entries.length - listed.length };
}

/** `apple-app-site-association`: a sandbox and its live app share an id, which is listed once. */
export function appleAssociation(apps: LinkedApp[]): AssociationFile {
  const ids = apps.flatMap(({ appleTeamId, iosBundleId }) =>
    appleTeamId && iosBundleId ? [`${appleTeamId}.${iosBundleId}`] : [],
  );
  return fill(MAX_BYTES.apple, [...new Set(ids)], (appIDs) => ({
    applinks: { details: appIDs.length > 0 ? [{ appIDs, components: APPLE_PATHS }] : [] },
  }));
}

const HANDLES = "delegate_permission/common.handle_all_urls";

/** `assetlinks.json`: one statement per package, with the certificates of all apps that name it. */
export function androidAssociation(apps: LinkedApp[]): AssociationFile {
  const packages = new Map<string, Set<string>>();
  for (const { androidPackage, androidFingerprints } of apps) {
    if (!androidPackage || androidFingerprints.length === 0) continue;
    const known = packages.get(androidPackage) ?? new Set();
    packages.set(androidPackage, new Set([...known, ...androidFingerprints]));
  }
  const statements = [...packages].map(([name, fingerprints]) => ({
    relation: [HANDLES],
    target: { namespace: "android_app", package_name: name, sha256_cert_fingerprints: [...fingerprints] },
    // Read by Android 15 and newer; the app's manifest says the same to older versions.
    relation_extensions: { [HANDLES]: { dynamic_app_link_components: ANDROID_PATHS } },
  }));
  return fill(MAX_BYTES.android, statements, (listed) => listed);
}
