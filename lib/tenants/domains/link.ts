import { isIP } from "node:net";
import { env } from "@/lib/platform/env";
import { singleton } from "@/lib/platform/singleton";

/** The origin of an app's links: its verified domain, else the host that all apps share. No trailing slash. */
export function linkOrigin(domain: string | null | undefined): string {
  return domain ? `https://${domain}` : env().LANDING_URL;
}

/** The referral link of a metacode. */
export function referralLink(domain: string | null | undefined, metacode: string): string {
  return `${linkOrigin(domain)}/r/${metacode}`;
}

/** The name in a Host header or a typed domain: lower case, without port and trailing dot. */
export function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
}

/** The hosts of `APP_URL` and `LANDING_URL`. */
function ownHosts(): ReadonlySet<string> {
  return singleton("domains.own-hosts", () => {
    const { APP_URL, LANDING_URL } = env();
    return new Set([APP_URL, LANDING_URL].map((url) => new URL(url).hostname));
  });
}

/**
 * Whether a host belongs to the service and therefore to no app, decided without a look-up. `name` comes from
 * `hostName`.
 */
export function isOwnHost(name: string): boolean {
  return ownHosts().has(name) || name === "localhost" || name.startsWith("[") || isIP(name) !== 0;
}
