interface Entry {
  /** Below `docs/`; a page that is not there is left out. */
  file: string;
  name: string;
}

interface Group {
  name: string;
  pages: readonly Entry[];
  /** Beside them: what is shown here and is no file. */
  more?: readonly Described[];
}

/** A link with a sentence about it. */
export interface Described {
  href: string;
  name: string;
  description: string;
}

/** The guides that say the same for one client each; every one has the same headings. */
export const CLIENTS = "Clients";

const guide = (slug: string, name: string): Entry => ({ file: `guides/${slug}.md`, name });

/** The order in which the documentation is read; its side navigation, its search and `llms.txt` follow it. */
export const CONTENTS: readonly Group[] = [
  {
    name: "Start",
    pages: [
      guide("quickstart", "Quickstart"),
      guide("user-ids", "Which user id"),
      guide("keys", "Keys and phones"),
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
        description: "Every call, field and answer, out of the schemas that check them.",
      },
    ],
  },
  {
    name: "Run it",
    pages: [
      guide("self-hosting", "Self-hosting"),
      guide("fraud", "Fraud"),
      guide("privacy", "Privacy"),
      guide("migrating", "Migrating"),
      { file: "benchmarks.md", name: "Benchmarks" },
      { file: "decisions/README.md", name: "Decisions" },
    ],
  },
];
