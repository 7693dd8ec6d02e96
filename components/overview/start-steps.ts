import type { StartStep } from "@/lib/contract/checklist";

interface StepWords {
  title: string;
  why: string;
  /** Below the app's own path; the event and the first referral come from outside. */
  path?: string;
  go?: string;
}

/** What each step is for, and where it is done. */
export const STEP_WORDS: Record<StartStep, StepWords> = {
  stores: {
    title: "Name your app in the stores",
    why: "Links to redeem a code, and the page behind an invitation, need the Apple app ID or the Android package.",
    path: "/settings",
    go: "Open the settings",
  },
  referee_codes: {
    title: "Upload codes for friends",
    why: "Whoever is invited gets one: offer codes of App Store Connect, or promo codes of the Play Console.",
    path: "/codes/import",
    go: "Upload codes",
  },
  reward_codes: {
    title: "Upload codes for rewards",
    why: "Whoever invites enough friends claims one. They lie in a pool of their own.",
    path: "/codes/import",
    go: "Upload codes",
  },
  campaign: {
    title: "Activate a campaign",
    why: "It says how many confirmed friends make a reward, and from which pools codes come.",
    path: "/campaigns",
    go: "Open the campaigns",
  },
  key: {
    title: "Create an API key",
    why: "Your app sends it with every request.",
    path: "/keys",
    go: "Create a key",
  },
  provider: {
    title: "Connect your subscription provider",
    why: "RevenueCat or your own server tells who has subscribed. Only that confirms a referral.",
    path: "/providers",
    go: "Connect a provider",
  },
  provider_event: {
    title: "Receive the first event",
    why: "Send a test event from the provider: it proves address and secret, and confirms nobody.",
  },
  referral: {
    title: "See the first referral",
    why: "Make a referrer, and redeem its metacode as somebody else. Both are what your app will do.",
  },
};
