import { isIP } from "node:net";
import { env } from "@/lib/env";
import { shared } from "@/lib/shared";

/** The name in a Host header or in what somebody typed: lower case, without port and without a dot at the end. */
export function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
}

/** The hosts of `APP_URL` and `LANDING_URL`. */
function ownHosts(): ReadonlySet<string> {
  return shared("domains.own-hosts", () => {
    const { APP_URL, LANDING_URL } = env();
    return new Set([APP_URL, LANDING_URL].map((url) => new URL(url).hostname));
  });
}

/** Whether a host is the service's own: no app's domain, known without a look-up. `name` comes from `hostName`. */
export function isOwnHost(name: string): boolean {
  return ownHosts().has(name) || name === "localhost" || name.startsWith("[") || isIP(name) !== 0;
}
