interface Promised {
  title: string;
  text: string;
  /** Shows it, run in a clone of the repository. */
  command: string;
}

/** What the service promises. A test looks that every command is one that the repository has. */
export const PROMISES: readonly Promised[] = [
  {
    title: "No code twice, none lost",
    text: "Server and database are killed under load, again and again, and the whole history of requests is then compared with what was stored.",
    command: "npx playwright test --project crash --no-deps",
  },
  {
    title: "A lost answer costs nobody a code",
    text: "A retry after a broken connection gets the same code, with an Idempotency-Key and within a window without one.",
    command: "npx vitest run lib/referrals/redeem-retry.test.ts",
  },
  {
    title: "An app's key cannot earn rewards",
    text: "A referral is confirmed by your provider with a secret of its own, so a key taken out of a phone confirms nothing.",
    command: "npx vitest run lib/http/provider-endpoint.test.ts",
  },
  {
    title: "Nobody sees another tenant",
    text: "Every endpoint and every action of the dashboard is tried with foreign keys, foreign sessions and too small roles.",
    command: "npx vitest run lib/http/isolation.test.ts lib/session/actions.matrix.test.ts",
  },
  {
    title: "Speed beside its floor",
    text: "The benchmark prints redeems a second next to an empty handler on the same machine, so that you can trust the ratio.",
    command: "npm run bench",
  },
  {
    title: "Documentation that runs",
    text: "Tests run the commands and JavaScript of the guides, compile their TypeScript, hold the code for phones against the API's names, and follow every link.",
    command: "npx vitest run lib/docs",
  },
];
