/** The page of a person's own account. */
export const ACCOUNT_PAGE = "/dashboard/account";

/** The page that asks for the second factor, and goes on to `next` after it. */
export function codePage(next: string): string {
  return `/sign-in/code?next=${encodeURIComponent(next)}`;
}
