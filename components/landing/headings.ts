import type { LandingView } from "@/lib/contract/landing";

/** A text without the isolate marks around names, for titles and link previews. */
export function plain(text: string): string {
  return text.replace(/[\u2068\u2069]/g, "");
}

/** The title of the page: the invitation as plain text. */
export function titleOf({ state, inviter, texts }: LandingView): string {
  return plain(headingOf({ state, inviter, texts }));
}

/** The invitation as a sentence, with isolate marks around names. */
export function headingOf({
  state,
  inviter,
  texts,
}: Pick<LandingView, "state" | "inviter" | "texts">): string {
  if (state === "paused") return texts.pausedTitle;
  if (state === "ended") return texts.endedTitle;
  return inviter ? texts.invited : texts.invitedPlain;
}

/** The text of link previews below the title. */
export function descriptionOf({ state, texts }: LandingView): string {
  if (state === "paused") return plain(texts.pausedText);
  if (state === "ended") return plain(texts.endedText);
  return plain(texts.description);
}
