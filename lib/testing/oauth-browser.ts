import { GET, POST } from "@/app/api/auth/[...nextauth]/route";
import { findPerson } from "@/lib/accounts/find-person";
import { database } from "@/lib/db/client";
import { readToken } from "@/lib/session/token";

/** The address of the service in tests of its sign-in. */
export const APP_URL = "http://metacode.example";

export const PROVIDERS = ["github", "google"] as const;
type Provider = (typeof PROVIDERS)[number];

/** A browser: it keeps cookies and follows where it is sent. */
export function browser() {
  const jar = new Map<string, string>();
  const call = async (path: string, init: RequestInit & { method?: "GET" | "POST" } = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(`${APP_URL}/api/auth/${path}`, { ...init, headers: { cookie } });
    const nextauth = path.split("?", 1)[0]?.split("/") as unknown as string;
    const handler = init.method === "POST" ? POST : GET;
    const response = await handler(request, { params: Promise.resolve({ nextauth }) });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  };
  /** Up to the service and back to its door: the address that the service sends the browser to. */
  const leave = async (provider: Provider, callbackUrl = "/dashboard"): Promise<string> => {
    const { csrfToken } = await (await call("csrf")).json();
    const body = new URLSearchParams({ csrfToken, callbackUrl });
    const start = await call(`signin/${provider}`, { method: "POST", body });
    const there = await fetch(start.headers.get("location") ?? "", { redirect: "manual" });
    return (there.headers.get("location") ?? "").replace(`${APP_URL}/api/auth/`, "");
  };
  const signIn = async (provider: Provider, callbackUrl?: string): Promise<string | null> =>
    (await call(await leave(provider, callbackUrl))).headers.get("location");
  const session = async () => {
    const signedIn = await readToken(jar.get("metacode.session"));
    return signedIn && findPerson(database(), signedIn);
  };
  return { jar, call, leave, signIn, session };
}
