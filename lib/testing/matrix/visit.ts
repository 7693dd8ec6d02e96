import { env } from "@/lib/env";
import { cookieName } from "@/lib/session/cookie";
import { issueToken } from "@/lib/session/token";

/** A browser as the framework shows it to actions. Stands in for `next/headers` where a test mocks that. */
interface Browser {
  headers: Headers;
  /** Cookies that were set while it was there. */
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
  /** Absent for somebody without a session. */
  session?: { id: string; sessionVersion: number };
  /** Where the page of the form came from; a page of ours unless said otherwise. */
  origin?: string;
}

/** Becomes the browser of this visitor until the next call. */
export async function visit({ session, origin = env().APP_URL }: Visitor): Promise<Browser> {
  const token: [string, string][] = session ? [[cookieName("session"), await issueToken(session)]] : [];
  browser = { headers: new Headers({ origin, host: new URL(env().APP_URL).host }), cookies: new Map(token) };
  return browser;
}
