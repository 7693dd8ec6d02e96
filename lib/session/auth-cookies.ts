import { env } from "@/lib/env";
import { type CookieName, cookieName, cookieOptions } from "@/lib/session/cookie";
import { returnPath } from "@/lib/session/return-path";

/** What next-auth gets to see: the session, the proof against forged forms, and the checks of signing in elsewhere. */
const SHOWN: CookieName[] = ["session", "csrf", "state", "pkce", "nonce"];

/** One cookie of a request. */
export function readCookie(request: Request, name: CookieName): string | undefined {
  return allCookies(request).get(cookieName(name));
}

/** The cookies for next-auth by their names. That of the page to return to is one of ours or none. */
export function authCookies(request: Request): Record<string, string> {
  const all = allCookies(request);
  const shown = SHOWN.flatMap((name) => {
    const value = all.get(cookieName(name));
    return value === undefined ? [] : [[cookieName(name), value]];
  });
  const callback = env().APP_URL + returnPathOf(request);
  return Object.fromEntries([...shown, [cookieName("callback"), callback]]);
}

/** The page that a person wanted who went elsewhere to sign in. */
export function returnPathOf(request: Request): string {
  return returnPath(pathOf(readCookie(request, "callback") ?? ""));
}

/** An address of this site as its path; anything else as it is. */
export function pathOf(url: string): string {
  const base = env().APP_URL;
  return url.startsWith(`${base}/`) ? url.slice(base.length) : url;
}

/** A `Set-Cookie` line; `seconds` 0 takes the cookie away. */
export function cookieLine(name: CookieName, value: string, seconds: number): string {
  const { secure, path } = cookieOptions();
  const line = `${cookieName(name)}=${value}; Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=Lax`;
  return secure ? `${line}; Secure` : line;
}

function allCookies(request: Request): Map<string, string> {
  const pairs = (request.headers.get("cookie") ?? "").split(/;\s*/);
  return new Map(
    pairs.map((pair) => {
      const at = pair.indexOf("=");
      return [pair.slice(0, at), decode(pair.slice(at + 1))] as const;
    }),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
