import { env } from "@/lib/env";

/**
 * Whether a request that changes something was sent by a page of ours: its Origin is the host it was sent to, or
 * APP_URL behind a proxy that rewrites the host. Without an Origin the browser's own Sec-Fetch-Site decides.
 */
export function fromOurPage(headers: Pick<Headers, "get">): boolean {
  const origin = headers.get("origin");
  if (origin === null) return headers.get("sec-fetch-site") === "same-origin";
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === headers.get("host") || host === new URL(env().APP_URL).host;
}
