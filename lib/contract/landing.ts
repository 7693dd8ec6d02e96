import type { Platform } from "./fields";
import type { LandingLanguage } from "./landing-languages";
import type { LandingTexts } from "./landing-texts";

/** `paused` may open again (the referrer's or the campaign's doing, or it has not begun); `ended` never will. */
export type InvitationState = "open" | "paused" | "ended";

/** Pages of one message, which have no app to speak of. */
export type Notice = "unknown" | "unavailable";

export interface StoreLink {
  platform: Platform;
  href: string;
}

/** What a page needs that has no invitation: its language, and the texts in it. */
export interface LandingFrame {
  language: LandingLanguage;
  texts: LandingTexts;
}

/** All that the landing page shows; texts are plain, nothing in them is markup. */
export interface LandingView extends LandingFrame {
  state: InvitationState;
  appName: string;
  /** Path of the app's icon on this host. */
  icon: string | undefined;
  /** `#rrggbb` as the owner picked it, readable or not. */
  accent: string | undefined;
  inviter: string | undefined;
  metacode: string;
  /** Whether the campaign has an end; then `texts` say when. */
  ends: boolean;
  /** The page's own address. */
  url: string;
  /** The share image, absolute. */
  imageUrl: string;
  /** The store of the visitor's phone first, where that is known and the app is in it. */
  stores: StoreLink[];
  /** The visitor's phone. */
  platform: Platform | undefined;
  appleAppId: string | undefined;
  clickId: string | undefined;
  /** In the dashboard: marks the texts that an owner may change, so that they follow what is typed. */
  preview: boolean;
}
