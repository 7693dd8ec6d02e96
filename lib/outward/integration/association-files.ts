import type { apps } from "@/lib/platform/db/schema";

/** Services of the stores through which phones get the association files. */
interface StoreServices {
  /** Apple's cache of association files; a host is appended. */
  apple: string;
  /** Google's API of Digital Asset Links. */
  google: string;
}

export const STORE_SERVICES: StoreServices = {
  apple: "https://app-site-association.cdn-apple.com/a/v1/",
  google: "https://digitalassetlinks.googleapis.com/v1/statements:list",
};

/** An association file: its address, how much of it is read, what it must contain, and the store that copies it. */
export interface LinkFile {
  kind: "apple" | "android";
  name: string;
  path: string;
  maxBody: number;
  /** The identities of the app that the file must contain; undefined where the app lacks them. */
  expected: string[] | undefined;
  missing: string;
  store: string;
  copyUrl: (origin: URL) => string;
}

/** The association files of a host, with what identifies the app in each. */
export function checkedFiles(app: typeof apps.$inferSelect, stores: StoreServices): LinkFile[] {
  const { appleTeamId, iosBundleId, androidPackage, androidFingerprints } = app;
  const ios = appleTeamId && iosBundleId ? [`${appleTeamId}.${iosBundleId}`] : undefined;
  const android =
    androidPackage && androidFingerprints.length > 0 ? [androidPackage, ...androidFingerprints] : undefined;
  return [
    {
      kind: "apple",
      name: "Universal links",
      path: "/.well-known/apple-app-site-association",
      maxBody: 128 * 1024,
      expected: ios,
      missing: "team ID and bundle ID",
      store: "Apple’s cache",
      copyUrl: ({ host }) => `${stores.apple}${host}`,
    },
    {
      kind: "android",
      name: "App links",
      path: "/.well-known/assetlinks.json",
      maxBody: 1024 * 1024,
      expected: android,
      missing: "package and fingerprints",
      store: "Google’s Digital Asset Links",
      copyUrl: ({ origin }) =>
        `${stores.google}?${new URLSearchParams({ "source.web.site": origin, relation: "delegate_permission/common.handle_all_urls" })}`,
    },
  ];
}
