import { isIP } from "node:net";
import { env } from "@/lib/env";
import { fail } from "@/lib/errors";
import { isAllowed, mayReach } from "@/lib/outside/ranges";
import { hostOf, PORTS } from "@/lib/outside/target";

const MAX = 2_000;

/** Names that only mean something inside a network. */
const INSIDE = /(^|\.)(localhost|local|internal|lan|home|corp|test|invalid|example)$/i;

function refuse(message: string): never {
  return fail("VALIDATION_ERROR", message, { field: "url" });
}

/**
 * The address of an endpoint, as it is stored. HTTPS, a public host, no password; where the operator allows networks of
 * his own, also what may lie in them. What a name leads to is looked at with every delivery, because it may change.
 * Throws VALIDATION_ERROR.
 */
export function parseEndpointUrl(given: string): string {
  const text = given.trim();
  if (text.length > MAX) refuse(`url must be at most ${MAX} characters`);
  if (!URL.canParse(text)) refuse("url must be a complete address, such as https://api.example.com/hooks");
  const url = new URL(text);
  const inside = mayLieInside(hostOf(url));
  if (url.protocol !== "https:" && !(inside && url.protocol === "http:")) {
    refuse("url must begin with https://");
  }
  if (url.username !== "" || url.password !== "") refuse("url must not contain a name or password");
  if (!inside && !isPublicHost(hostOf(url))) {
    refuse("url must lead to a public host, not into a private network");
  }
  if (!inside && !PORTS.includes(url.port)) refuse("url must use port 443 or 8443");
  url.hash = "";
  return url.href;
}

/** Whether a host is in the networks that the operator allowed, or is a name that may lead there. */
function mayLieInside(host: string): boolean {
  const allowed = env().OUTBOUND_ALLOW;
  return isIP(host) ? isAllowed(host, allowed) : allowed.length > 0;
}

function isPublicHost(host: string): boolean {
  if (isIP(host)) return mayReach(host, []);
  return host.includes(".") && !INSIDE.test(host);
}
