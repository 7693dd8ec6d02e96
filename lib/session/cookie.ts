import { env } from "@/lib/env";

/** Seconds until a session ends for good. */
export const SESSION_SECONDS = 14 * 24 * 60 * 60;

/** Over HTTPS cookies are Secure and bound to this very host by their prefix. */
export function secureCookies(): boolean {
  return env().APP_URL.startsWith("https:");
}

/** `step`: signing in, the second factor still owed. `connect`: an account elsewhere is being connected. */
export type CookieName = "session" | "csrf" | "callback" | "state" | "pkce" | "nonce" | "step" | "connect";

/** The cookie's name, with the prefix that binds it to this host over HTTPS. */
export function cookieName(name: CookieName): string {
  return secureCookies() ? `__Host-metacode.${name}` : `metacode.${name}`;
}

/** Lax keeps the cookie away from every request that another site makes, but for following a link. */
export function cookieOptions() {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: secureCookies() } as const;
}
