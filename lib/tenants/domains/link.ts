import { env } from "@/lib/platform/env";

/** The origin of an app's links: its verified domain, else the host that all apps share. No trailing slash. */
export function linkOrigin(domain: string | null | undefined): string {
  return domain ? `https://${domain}` : env().LANDING_URL;
}

/** The referral link of a metacode. */
export function referralLink(domain: string | null | undefined, metacode: string): string {
  return `${linkOrigin(domain)}/r/${metacode}`;
}
