import { GET, POST } from "@/app/api/auth/[...nextauth]/route";
import { database } from "@/lib/platform/db/client";
import { resumeSession } from "@/lib/tenants/accounts/session";
import { readSessionToken } from "@/lib/web/session/token";

/** The address of the service in tests of the sign-in. */
export const APP_URL = "http://metacode.example";

export const OAUTH_PROVIDERS = ["github", "google"] as const;
type Provider = (typeof OAUTH_PROVIDERS)[number];

/** A browser that stores cookies and follows redirects. */
export function testBrowser() {
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
  /** Goes to the provider and returns the address to which the provider redirects. */
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
    const signedIn = await readSessionToken(jar.get("metacode.session"));
    return signedIn && resumeSession(database(), signedIn);
  };
  return { jar, call, leave, signIn, session };
}
