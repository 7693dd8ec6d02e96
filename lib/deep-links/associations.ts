import type { LinkedApp } from "./apps";

/** Apple reads 128 KiB. Android names no limit, so its file is only kept from growing without end. */
const MAX_BYTES = { apple: 128 * 1024, android: 1024 * 1024 };

/** Landing pages open in the app; what lies below them, such as the share image, does not. */
const APPLE_PATHS = [{ "/": "/r/*/*", exclude: true }, { "/": "/r/*" }];
const ANDROID_PATHS = [...APPLE_PATHS, { "/": "*", exclude: true }];

/** A file for phones, and how many apps found no room in it. */
export interface Association {
  text: string;
  left: number;
}

/** As many of the first entries as fit, in the frame that `wrap` makes of them. */
function fill<Entry>(most: number, entries: Entry[], wrap: (entries: Entry[]) => unknown): Association {
  let size = JSON.stringify(wrap(entries.slice(0, 1))).length;
  const fitting = entries.findIndex((entry) => {
    size += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return size > most;
  });
  const kept = fitting < 0 ? entries : entries.slice(0, fitting);
  return { text: JSON.stringify(wrap(kept)), left: entries.length - kept.length };
}

/** `apple-app-site-association`: a sandbox and its live app share an id, which is named once. */
export function appleAssociation(apps: LinkedApp[]): Association {
  const ids = apps.flatMap(({ appleTeamId, iosBundleId }) =>
    appleTeamId && iosBundleId ? [`${appleTeamId}.${iosBundleId}`] : [],
  );
  return fill(MAX_BYTES.apple, [...new Set(ids)], (appIDs) => ({
    applinks: { details: appIDs.length > 0 ? [{ appIDs, components: APPLE_PATHS }] : [] },
  }));
}

const HANDLES = "delegate_permission/common.handle_all_urls";

/** `assetlinks.json`: one statement for a package, with the certificates of all apps that name it. */
export function androidAssociation(apps: LinkedApp[]): Association {
  const packages = new Map<string, Set<string>>();
  for (const { androidPackage, androidFingerprints } of apps) {
    if (!androidPackage || androidFingerprints.length === 0) continue;
    const known = packages.get(androidPackage) ?? new Set();
    packages.set(androidPackage, new Set([...known, ...androidFingerprints]));
  }
  const statements = [...packages].map(([name, fingerprints]) => ({
    relation: [HANDLES],
    target: { namespace: "android_app", package_name: name, sha256_cert_fingerprints: [...fingerprints] },
    // Read by Android 15 and newer; the app's manifest says the same to older ones.
    relation_extensions: { [HANDLES]: { dynamic_app_link_components: ANDROID_PATHS } },
  }));
  return fill(MAX_BYTES.android, statements, (kept) => kept);
}
