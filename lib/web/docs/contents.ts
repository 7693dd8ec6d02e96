interface Entry {
  /** Below `docs/`; a missing page is left out. */
  file: string;
  name: string;
  /** Search terms that the page words differently, or uses too rarely to rank first. */
  keywords?: string;
  /** About the service itself, for operators and contributors. */
  background?: true;
}

export interface Group {
  name: string;
  pages: readonly Entry[];
}

/** The group of guides that cover one client each, all with the same headings. */
export const CLIENTS = "Clients";

/** The group that begins with the generated pages of the API reference. */
export const REFERENCE = "API";

const guide = (slug: string, name: string, keywords?: string): Entry => ({
  file: `guides/${slug}.md`,
  name,
  ...(keywords && { keywords }),
});

/** The order of the documentation, for its navigation, its search and `llms.txt`. */
export const CONTENTS: readonly Group[] = [
  {
    name: "Start",
    pages: [
      guide("quickstart", "Quickstart", "sandbox test without a store try curl test123 test metacode"),
      guide("user-ids", "Which user id", "anonymous id appAccountToken RevenueCat"),
      guide("keys", "Keys and phones", "API key in the app CORS browser secret stolen leaked lost key"),
      guide("integration-check", "Check the integration", "doctor simulator journey what is wrong"),
    ],
  },
  {
    name: CLIENTS,
    pages: [
      guide(
        "http",
        "Plain HTTP",
        "retry retries idempotency key REST curl Node backend Python PHP Ruby Go Java",
      ),
      guide("swift", "Swift", "iOS SwiftUI Swift package SDK Xcode offer code sheet share sheet"),
      guide("kotlin", "Kotlin", "Android Jetpack Compose Gradle SDK ProGuard R8 minify share sheet"),
      guide("flutter", "Flutter", "Dart plugin pub package"),
      guide("react-native", "React Native", "Expo npm package TypeScript"),
      guide("unity", "Unity", "C# game package"),
    ],
  },
  {
    name: "Codes and stores",
    pages: [
      guide("store-codes", "Codes from the stores", "promo codes offer codes coupons"),
      guide("app-store-connect", "App Store Connect"),
      guide("app-review", "App Review"),
      guide(
        "deep-links",
        "Deep links",
        "universal link app link install referrer code signing certificate fingerprint SHA-256",
      ),
      guide("landing-domain", "Your own link domain", "landing page referral link"),
    ],
  },
  {
    name: "Confirmations and events",
    pages: [
      { file: "providers.md", name: "Providers" },
      guide("webhooks", "Webhooks", "webhook signature sign verify HMAC secret retry delivery"),
      guide("alerts", "Alerts"),
    ],
  },
  {
    name: REFERENCE,
    pages: [
      guide("errors", "Errors", "error codes HTTP status 400 401 403 404 500"),
      guide("rate-limits", "Rate limits", "rate limit 429 throttle quota how many API calls per minute"),
    ],
  },
  {
    name: "Run it",
    pages: [
      guide("self-hosting", "Self-hosting", "deploy install systemd"),
      guide("upgrading", "Upgrading", "versioning breaking changes deprecation"),
      guide("high-availability", "High availability"),
      guide("scale-out", "Scale out", "Citus shard cluster capacity"),
      guide("fraud", "Fraud", "self referral own metacode abuse fake accounts"),
      guide("privacy", "Privacy", "delete user data GDPR erase export"),
      { file: "security.md", name: "Security" },
      guide("migrating", "Migrating", "migrate from another referral service"),
      { file: "benchmarks.md", name: "Benchmarks", background: true },
      { file: "../CHANGELOG.md", name: "Changelog", keywords: "release notes versions what is new" },
      { file: "architecture.md", name: "Architecture", background: true },
      { file: "decisions/README.md", name: "Decisions" },
    ],
  },
];
