import { z } from "zod";

/** The prefix of the name whose TXT record proves a domain. */
export const RECORD_PREFIX = "_metacode.";

/** The value that proves a domain for an app. It is public: only the owner of the domain can publish it. */
export function recordValue(appId: string): string {
  return `metacode-app=${appId}`;
}

/** A label of a host name (RFC 1123); names in other scripts are converted to it. */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Names that the public DNS does not resolve (RFC 6761 and others). */
const PRIVATE = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|arpa|invalid|test|onion)$/;

/** Suffixes under which registries sell names, such as `co.uk`: no tenant owns them. */
const PUBLIC_SUFFIX = /^(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}$/;

/** The reason why a name, in lower-case ASCII, cannot be an app's domain. */
export function domainProblem(name: string): string | undefined {
  if (name.length + RECORD_PREFIX.length > 253) return "landingDomain is too long for a domain";
  if (/^[\d.]+$|[[\]:]/.test(name)) return "landingDomain must be a domain, not an IP address";
  if (PRIVATE.test(name)) return "landingDomain must be a public domain";
  if (!name.includes(".") || !name.split(".").every((label) => LABEL.test(label)) || /\.\d+$/.test(name)) {
    return "landingDomain must be a domain such as invite.example.com";
  }
  if (PUBLIC_SUFFIX.test(name)) return `landingDomain must be a domain of yours below ${name}`;
  return undefined;
}

/** The form of a Host header: the host of a pasted link, lower case, `xn--` for other scripts, no trailing dot. */
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

/** An app's own domain for its landing pages; an empty field removes it. */
export const appDomain = z.object({
  landingDomain: z
    .string()
    .max(300, { error: "landingDomain is too long for a domain" })
    .transform(canonical)
    .superRefine((name, issues) => {
      const message = domainProblem(name);
      if (message) issues.addIssue({ code: "custom", message });
    })
    .nullish()
    .default(null),
});
