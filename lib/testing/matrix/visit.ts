import { env } from "@/lib/platform/env";
import { sessionToken } from "@/lib/testing/session-token";
import { cookieName } from "@/lib/web/session/cookies";

/** A browser as the framework shows it to actions. Stands in for `next/headers` where a test mocks that. */
interface Browser {
  headers: Headers;
  /** Cookies that were set during the visit. */
  cookies: Map<string, string>;
}

let browser: Browser = { headers: new Headers(), cookies: new Map() };

/** Stands in for `headers` of next/headers. */
export const headers = async () => browser.headers;

/** Stands in for `cookies` of next/headers. */
export const cookies = async () => ({
  get: (name: string) => ({ name, value: browser.cookies.get(name) }),
  set: (name: string, value: string) => browser.cookies.set(name, value),
  delete: (name: string) => browser.cookies.delete(name),
});

export interface Visitor {
  /** Absent for a visitor without a session. */
  session?: { id: string; sessionVersion: number };
  /** The origin of the page with the form; the service's own by default. */
  origin?: string;
}

/** Installs the visitor's browser until the next call. */
export async function visit({ session, origin = env().APP_URL }: Visitor): Promise<Browser> {
  const token: [string, string][] = session ? [[cookieName("session"), await sessionToken(session)]] : [];
  browser = { headers: new Headers({ origin, host: new URL(env().APP_URL).host }), cookies: new Map(token) };
  return browser;
}
