import type { Platform } from "./fields";

/** `paused` may open again (the referrer's or the campaign's doing, or it has not begun); `ended` never will. */
export type InvitationState = "open" | "paused" | "ended";

export interface StoreLink {
  platform: Platform;
  href: string;
}

/** All that the landing page shows; texts are plain, nothing in them is markup. */
export interface LandingView {
  state: InvitationState;
  appName: string;
  inviter: string | undefined;
  metacode: string;
  /** The page's own address. */
  url: string;
  /** The store of the visitor's phone first, where that is known and the app is in it. */
  stores: StoreLink[];
  /** The visitor's phone. */
  platform: Platform | undefined;
  appleAppId: string | undefined;
  clickId: string | undefined;
}
