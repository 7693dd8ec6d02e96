/** The page after signing in when no other was requested. */
export const HOME = "/dashboard";

/**
 * A path to return to after signing in that cannot leave the site: text that a browser would read as another host, such
 * as `//evil`, `/\evil` or `/<tab>/evil`, becomes {@link HOME}.
 */
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== "string" || !wanted.startsWith("/") || wanted.length > 1_000) return HOME;
  const base = "http://site.invalid";
  if (!URL.canParse(wanted, base)) return HOME;
  const url = new URL(wanted, base);
  // `/.//evil` is a path of this host until its dots are resolved.
  if (url.origin !== base || url.pathname.startsWith("//")) return HOME;
  return url.pathname + url.search;
}

/** A page that continues to `next`. The default is left out, because the page without a query is cached. */
export const continuing = (page: string, next: string): string =>
  next === HOME ? page : `${page}?next=${encodeURIComponent(next)}`;

/** The page of the user's own account. */
export const ACCOUNT_PAGE = "/dashboard/account";

/** The page that asks for the second factor and then continues to `next`. */
export function codePage(next: string): string {
  return `/sign-in/code?next=${encodeURIComponent(next)}`;
}
