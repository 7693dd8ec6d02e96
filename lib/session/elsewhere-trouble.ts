/** What the pages say when signing in elsewhere came to nothing, by the word in their address. */
const WORDS: Record<string, string> = {
  elsewhere: "The sign-in there did not work. Try again.",
  unverified: "That service names no verified address of yours. Sign in with your password.",
  closed: "Sign-up is closed here: ask for an invitation to a workspace.",
  taken: "That account belongs to another account here.",
};

/** The words for a page's `error`, or undefined; an address cannot put other words there. */
export function elsewhereTrouble(error: unknown): string | undefined {
  return typeof error === "string" && Object.hasOwn(WORDS, error) ? WORDS[error] : undefined;
}
