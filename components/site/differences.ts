interface Difference {
  title: string;
  text: string;
  /** The page that proves it. */
  proof: { href: string; name: string };
}

/** The differences of the service from others. A test checks that every proof exists. */
export const DIFFERENCES: readonly Difference[] = [
  {
    title: "A real store code for every friend",
    text: "The friend gets one unused code of the App Store or Google Play and redeems it there, for whatever your offer is worth. No coupon field, no discount page.",
    proof: { href: "/docs/store-codes", name: "Where the codes come from" },
  },
  {
    title: "No code twice, none lost",
    text: "We kill the server and the database under load, again and again, and compare every response with the stored data. So far, no code was assigned twice and none was lost.",
    proof: { href: "/docs/decisions/crash-test", name: "The crash test and its results" },
  },
  {
    title: "A lost connection costs nothing",
    text: "Phones lose responses. A retry gets the same code, and the guides for six clients store what they need for it before they send.",
    proof: { href: "/docs/http#offline-and-retries", name: "How retries work" },
  },
  {
    title: "Only a purchase earns a reward",
    text: "RevenueCat, the App Store, Stripe or your own server confirms each referral with its own secret. A key taken out of your app confirms nothing.",
    proof: { href: "/docs/providers", name: "Ten providers and how they authenticate" },
  },
  {
    title: "Your users stay yours",
    text: "It runs on your servers with its own database, sends no telemetry and needs no account with us.",
    proof: { href: "/docs/privacy", name: "What is stored, and where" },
  },
];
