/** Where a person lands who asked for nothing in particular. */
export const HOME = "/dashboard";

/**
 * A path to return to after signing in that cannot leave the site: what the browser would read as another host, such
 * as `//evil`, `/\evil` or `/<tab>/evil`, becomes {@link HOME}.
 */
export function returnPath(wanted: unknown): string {
  if (typeof wanted !== "string" || !wanted.startsWith("/") || wanted.length > 1_000) return HOME;
  if (/[\\\s\p{Cc}]/u.test(wanted)) return HOME;
  const base = "http://site.invalid";
  if (!URL.canParse(wanted, base)) return HOME;
  const url = new URL(wanted, base);
  // `/.//evil` is a path of this host only until it is written down again.
  if (url.origin !== base || url.pathname.startsWith("//")) return HOME;
  return url.pathname + url.search;
}
