import type { StartStep } from "@/lib/contract/checklist";

interface StartLabels {
  title: string;
  why: string;
  /** Below the app's path. The event and the first referral come from other systems, so they have no page. */
  path?: string;
  action?: string;
}

/** The purpose of each step, and its page. */
export const START_LABELS: Record<StartStep, StartLabels> = {
  stores: {
    title: "Add your app's store ids",
    why: "Redemption links and landing pages need the Apple app ID or the Android package.",
    path: "/settings",
    action: "Open settings",
  },
  referee_codes: {
    title: "Upload codes for friends",
    why: "Each invited friend gets one: offer codes from App Store Connect, or promo codes from the Play Console.",
    path: "/codes/import",
    action: "Upload codes",
  },
  reward_codes: {
    title: "Upload codes for rewards",
    why: "A referrer with enough confirmed friends claims one. These codes have a separate pool.",
    path: "/codes/import",
    action: "Upload codes",
  },
  campaign: {
    title: "Activate a campaign",
    why: "It sets how many confirmed friends earn a reward, and which pools the codes come from.",
    path: "/campaigns",
    action: "Open campaigns",
  },
  key: {
    title: "Create an API key",
    why: "Your app sends it with every request.",
    path: "/keys",
    action: "Create a key",
  },
  provider: {
    title: "Connect your subscription provider",
    why: "RevenueCat or your own server reports who has subscribed. Only that confirms a referral.",
    path: "/providers",
    action: "Connect a provider",
  },
  provider_event: {
    title: "Receive the first event",
    why: "Send a test event from the provider: it checks address and secret, and confirms no referral.",
  },
  referral: {
    title: "See the first referral",
    why: "Create a referrer, and redeem its metacode as another user. Your app will do both.",
  },
};
