import { z } from "zod";

/** In front of a domain, where the record that proves it lies. */
export const RECORD_PREFIX = "_metacode.";

/** The value that proves a domain for an app. Public: only who rules the domain can put it there. */
export function recordValue(appId: string): string {
  return `metacode-app=${appId}`;
}

/** A label of a host name (RFC 1123), also of one that was written in another script. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Names that never lead to us from outside (RFC 6761 and others). */
const PRIVATE = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|arpa|invalid|test|onion)$/;

/** Where registries sell names, such as `co.uk`: nobody's own, and no host of anybody. */
const SOLD_UNDER = /^(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}$/;

/** What is wrong with a name in lower case and ASCII, in words. */
function fault(name: string): string | undefined {
  if (name.length + RECORD_PREFIX.length > 253) return "landingDomain is too long for a domain";
  if (/^[\d.]+$|[[\]:]/.test(name)) return "landingDomain must be a domain, not an IP address";
  if (PRIVATE.test(name)) return "landingDomain must be a domain that the internet knows";
  if (!name.includes(".") || !name.split(".").every((label) => LABEL.test(label)) || /\.\d+$/.test(name)) {
    return "landingDomain must be a domain such as invite.example.com";
  }
  if (SOLD_UNDER.test(name)) return `landingDomain must be a domain of yours below ${name}`;
  return undefined;
}

/** As it stands in a Host header: of a pasted link only the host, in lower case, other scripts as `xn--`, no dot at the end. */
function canonical(text: string): string {
  const host = text
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "");
  if (!URL.canParse(`https://${host}`)) return host;
  const url = new URL(`https://${host}`);
  const bare = url.username === "" && url.pathname === "/" && url.search === "" && url.hash === "";
  return bare && url.port === "" ? url.hostname.replace(/\.$/, "") : host;
}

/** An app's own host for its landing pages; an empty field takes it away. */
export const appDomain = z.object({
  landingDomain: z
    .string()
    .max(300, { error: "landingDomain is too long for a domain" })
    .transform(canonical)
    .superRefine((name, issues) => {
      const message = fault(name);
      if (message) issues.addIssue({ code: "custom", message });
    })
    .nullish()
    .default(null),
});
