import type { Platform } from "@/lib/contract/fields";
import type { LandingView } from "@/lib/contract/landing";

export const STORE_NAME: Record<Platform, string> = { ios: "App Store", android: "Google Play" };

export const STORE_LABEL: Record<Platform, string> = {
  ios: "Download on the App Store",
  android: "Get it on Google Play",
};

/** The page's title and heading in one line. */
export function titleOf({ state, inviter, appName }: LandingView): string {
  if (state === "paused") return `This invitation to ${appName} is paused`;
  if (state === "ended") return `This invitation to ${appName} has ended`;
  return inviter ? `${inviter} invited you to ${appName}` : `You are invited to ${appName}`;
}

/** One sentence for link previews. */
export function descriptionOf({ state, appName, metacode }: LandingView): string {
  if (state === "paused") return "It does not give out promo codes at the moment.";
  if (state === "ended") return "It does not give out promo codes any more.";
  return `Get ${appName}, enter the metacode ${metacode} and receive your promo code.`;
}
