interface ProductPromise {
  title: string;
  text: string;
  /** The command that proves it, run in a clone of the repository. */
  command: string;
}

/** The promises of the service. A test checks that the repository has every command. */
export const PROMISES: readonly ProductPromise[] = [
  {
    title: "No code twice, none lost",
    text: "The server and the database are killed under load, again and again. Then the full history of requests is compared with the stored data.",
    command: "npx playwright test --project crash --no-deps",
  },
  {
    title: "A lost response never costs a code",
    text: "A retry after a broken connection gets the same code: with an Idempotency-Key, and for a limited time even without one.",
    command: "npx vitest run lib/program/referrals/redeem-retry.test.ts",
  },
  {
    title: "An app's API key cannot earn rewards",
    text: "Only your provider confirms a referral, with its own secret. A key extracted from a phone confirms nothing.",
    command: "npx vitest run lib/web/http/provider-endpoint.test.ts",
  },
  {
    title: "Tenants are isolated",
    text: "All endpoints and dashboard actions are tested with foreign keys, foreign sessions and insufficient roles.",
    command: "npx vitest run lib/web/http/isolation.test.ts lib/web/session/actions.matrix.test.ts",
  },
  {
    title: "Speed you can compare",
    text: "The benchmark prints redeems per second beside an empty handler on the same machine, so you can trust the ratio.",
    command: "npm run bench",
  },
  {
    title: "Documentation that runs",
    text: "Tests run the commands and JavaScript of the guides, compile their TypeScript, check the mobile code against the names of the API, and follow every link.",
    command: "npx vitest run lib/web/docs",
  },
];
