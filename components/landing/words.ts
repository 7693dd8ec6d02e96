import type { LandingFrame, LandingView } from "@/lib/contract/landing";

/** A text without the marks around names, for titles and link previews, which show plain text only. */
export function plain(text: string): string {
  return text.replace(/[\u2068\u2069]/g, "");
}

/** The page's title and heading in one line. */
export function titleOf({ state, inviter, texts }: LandingView): string {
  return plain(headingOf({ state, inviter, texts }));
}

/** The heading, with the marks around names. */
export function headingOf({
  state,
  inviter,
  texts,
}: Pick<LandingView, "state" | "inviter" | "texts">): string {
  if (state === "paused") return texts.pausedTitle;
  if (state === "ended") return texts.endedTitle;
  return inviter ? texts.invited : texts.invitedPlain;
}

/** What link previews say below the title. */
export function descriptionOf({ state, texts }: LandingView): string {
  if (state === "paused") return plain(texts.pausedText);
  if (state === "ended") return plain(texts.endedText);
  return plain(texts.description);
}

/** The label of a store's link. */
export function storeLabel(platform: "ios" | "android", { texts }: LandingFrame): string {
  return platform === "ios" ? texts.appStore : texts.googlePlay;
}
