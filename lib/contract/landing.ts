import type { Platform } from "./fields";
import type { LandingLanguage } from "./landing-languages";
import type { LandingTexts } from "./landing-texts";

/**
 * `paused` may reopen (the referrer or campaign is paused, the campaign has not begun, or a user's next one has not);
 * `ended` never does.
 */
export type InvitationState = "open" | "paused" | "ended";

/** Pages with a single message and no app. */
export type Notice = "unknown" | "unavailable";

export interface StoreLink {
  platform: Platform;
  href: string;
}

/** The language and texts of a page, also of one without an invitation. */
export interface LandingFrame {
  language: LandingLanguage;
  texts: LandingTexts;
}

/** A QR code as an SVG path of one unit per module, quiet zone included. */
export interface LandingQrCode {
  size: string;
  path: string;
}

/** Everything that the landing page shows; texts are plain, without markup. */
export interface LandingView extends LandingFrame {
  state: InvitationState;
  appName: string;
  /** Path of the app's icon on this host. */
  icon: string | undefined;
  /** `#rrggbb` as the owner chose it, readable or not. */
  accent: string | undefined;
  inviter: string | undefined;
  metacode: string;
  /** Whether the campaign has an end, which `texts` then name. */
  ends: boolean;
  /** The page's own address. */
  url: string;
  /** The share image, absolute. */
  imageUrl: string;
  /** `url` for the camera of a phone; only for a visitor on another device. */
  qr: LandingQrCode | undefined;
  /** The store of the visitor's phone first, if it is known and has the app. */
  stores: StoreLink[];
  /** The visitor's phone. */
  platform: Platform | undefined;
  appleAppId: string | undefined;
  clickId: string | undefined;
  /** In the dashboard: marks the texts that an owner may change, so that the preview follows the form. */
  preview: PreviewScheme | undefined;
}

/** The colour scheme of a preview. */
export type PreviewScheme = "system" | "light" | "dark";

/** The invitation in the dashboard's preview of the landing page. */
export const PREVIEWED = { inviter: "Anna", metacode: "k7m2p9xd" };
