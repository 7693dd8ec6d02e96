interface Entry {
  /** Below `docs/`; a missing page is left out. */
  file: string;
  name: string;
}

interface Group {
  name: string;
  pages: readonly Entry[];
  /** Further links of the group, to pages that are not files. */
  more?: readonly DescribedLink[];
}

/** A link with a sentence about it. */
export interface DescribedLink {
  href: string;
  name: string;
  description: string;
}

/** The group of guides that cover one client each, all with the same headings. */
export const CLIENTS = "Clients";

const guide = (slug: string, name: string): Entry => ({ file: `guides/${slug}.md`, name });

/** The order of the documentation, for its navigation, its search and `llms.txt`. */
export const CONTENTS: readonly Group[] = [
  {
    name: "Start",
    pages: [
      guide("quickstart", "Quickstart"),
      guide("user-ids", "Which user id"),
      guide("keys", "Keys and phones"),
      guide("integration-check", "Check the integration"),
    ],
  },
  {
    name: CLIENTS,
    pages: [
      guide("http", "Plain HTTP"),
      guide("swift", "Swift"),
      guide("kotlin", "Kotlin"),
      guide("flutter", "Flutter"),
      guide("react-native", "React Native"),
      guide("unity", "Unity"),
    ],
  },
  {
    name: "Codes and stores",
    pages: [
      guide("store-codes", "Codes from the stores"),
      guide("app-store-connect", "App Store Connect"),
      guide("app-review", "App Review"),
      guide("deep-links", "Deep links"),
      guide("landing-domain", "Your own link domain"),
    ],
  },
  {
    name: "Confirmations and events",
    pages: [
      { file: "providers.md", name: "Providers" },
      guide("webhooks", "Webhooks"),
      guide("alerts", "Alerts"),
    ],
  },
  {
    name: "API",
    pages: [guide("errors", "Errors"), guide("rate-limits", "Rate limits")],
    more: [
      {
        href: "/docs/api",
        name: "Reference",
        description: "Every endpoint, field and response, generated from the schemas that validate them.",
      },
    ],
  },
  {
    name: "Run it",
    pages: [
      guide("self-hosting", "Self-hosting"),
      guide("upgrading", "Upgrading"),
      guide("fraud", "Fraud"),
      guide("privacy", "Privacy"),
      { file: "security.md", name: "Security" },
      guide("migrating", "Migrating"),
      { file: "benchmarks.md", name: "Benchmarks" },
      { file: "architecture.md", name: "Architecture" },
      { file: "decisions/README.md", name: "Decisions" },
    ],
  },
];
