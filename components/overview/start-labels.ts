import { FROM_START, type StartStep } from "@/lib/contract/checklist";

interface StartLabels {
  title: string;
  why: string;
  /** Below the app's path. The other steps are done on the checklist's own page. */
  path?: string;
  action?: string;
}

/** The purpose of each step, and its page. */
export const START_LABELS: Record<StartStep, StartLabels> = {
  stores: {
    title: "Add your app’s store IDs",
    why: "Redemption links and landing pages need the Apple app ID or the Android package.",
    path: `/settings?from=${FROM_START}`,
    action: "Open settings",
  },
  referee_codes: {
    title: "Import codes for friends",
    why: "Each invited friend gets one: offer codes from App Store Connect, or promo codes from the Play Console.",
    path: `/codes/import?use=referee&from=${FROM_START}`,
    action: "Import codes",
  },
  reward_codes: {
    title: "Import codes for rewards",
    why: "A referrer with enough confirmed friends claims one. These codes have a separate pool.",
    path: `/codes/import?use=reward&from=${FROM_START}`,
    action: "Import codes",
  },
  campaign: {
    title: "Activate a campaign",
    why: "It sets how many confirmed friends earn a reward, and which pools the codes come from.",
    path: `/campaigns/new?from=${FROM_START}`,
    action: "Create campaign",
  },
  key: {
    title: "Create an API key",
    why: "Your app sends it with every request.",
  },
  provider: {
    title: "Connect your subscription provider",
    why: "RevenueCat or your own server reports who has subscribed. Only that confirms a referral.",
  },
  referral: {
    title: "See the first referral",
    why: "A referrer gets a metacode, and a friend redeems it. Your app will ask for both.",
  },
  provider_event: {
    title: "Receive the first purchase",
    why: "Your provider reports it, and the referral is confirmed.",
  },
};
