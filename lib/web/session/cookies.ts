import { parseCookie, stringifySetCookie } from "cookie";
import { env } from "@/lib/platform/env";
import { returnPath } from "@/lib/web/session/paths";

/** Whether cookies are Secure and bound to this host by their prefix, as over HTTPS. */
export function secureCookies(): boolean {
  return env().APP_URL.startsWith("https:");
}

/**
 * `step`: a sign-in that waits for the second factor. `connect`: an OAuth account that is being connected. `device`: an
 * account that has signed in from this browser.
 */
export type CookieName =
  | "session"
  | "csrf"
  | "callback"
  | "state"
  | "pkce"
  | "nonce"
  | "step"
  | "connect"
  | "device";

/** The cookie's name, with the prefix that binds it to this host over HTTPS. */
export function cookieName(name: CookieName): string {
  return secureCookies() ? `__Host-metacode.${name}` : `metacode.${name}`;
}

/** Lax: another site's requests come without the cookie, except when the user follows a link. */
export function cookieOptions() {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: secureCookies() } as const;
}

/** Cookies that are passed to next-auth: the session, the CSRF token and the checks of an OAuth sign-in. */
const PASSED: CookieName[] = ["session", "csrf", "state", "pkce", "nonce"];

/**
 * Of two cookies with one name the last counts, as in Next's `cookies()`, so routes and pages read the same
 * session.
 */
const cookiesOf = (request: Request) =>
  parseCookie((request.headers.get("cookie") ?? "").split(";").reverse().join(";"));

/** One cookie of a request. */
export function readCookie(request: Request, name: CookieName): string | undefined {
  return cookiesOf(request)[cookieName(name)];
}

/** The cookies for next-auth by their names, with a callback address that is always on this site. */
export function authCookies(request: Request): Record<string, string> {
  const all = cookiesOf(request);
  const passed = PASSED.flatMap((name) => {
    const value = all[cookieName(name)];
    return value === undefined ? [] : [[cookieName(name), value]];
  });
  const callback = env().APP_URL + returnPathOf(request);
  return Object.fromEntries([...passed, [cookieName("callback"), callback]]);
}

/** The page to return to after an OAuth sign-in. */
export function returnPathOf(request: Request): string {
  return returnPath(pathOf(readCookie(request, "callback") ?? ""));
}

/** The path of an address of this site; any other text unchanged. */
export function pathOf(url: string): string {
  const base = env().APP_URL;
  return url.startsWith(`${base}/`) ? url.slice(base.length) : url;
}

/** A `Set-Cookie` line; `seconds` 0 deletes the cookie. */
export function cookieLine(name: CookieName, value: string, seconds: number): string {
  return stringifySetCookie({ name: cookieName(name), value, maxAge: seconds, ...cookieOptions() });
}
