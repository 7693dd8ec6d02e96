import { env } from "@/lib/env";

/** Where an app's links lead: its own verified domain, else the host that all apps share. Without a slash at the end. */
export function originOf(domain: string | null | undefined): string {
  return domain ? `https://${domain}` : env().LANDING_URL;
}

/** The address of an invitation's landing page. */
export function linkOf(domain: string | null | undefined, metacode: string): string {
  return `${originOf(domain)}/r/${metacode}`;
}
