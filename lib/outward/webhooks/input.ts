import { isIP } from "node:net";
import { z } from "zod";
import { isLine } from "@/lib/contract/fields";
import { WEBHOOK_EVENT_NAMES } from "@/lib/contract/webhook-events";
import { hostOf, isAllowed, mayReach, PORTS } from "@/lib/platform/egress/target";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";

const MAX_URL = 2_000;

/** Names that resolve only inside a private network. */
const INSIDE = /(^|\.)(localhost|local|internal|lan|home|corp|test|invalid|example)$/i;

function refuse(message: string): never {
  return fail("VALIDATION_ERROR", message, { field: "url" });
}

/**
 * The stored form of an endpoint's address: HTTPS, no password, and a public host or one in a network that the
 * operator allows. Every delivery checks again what a name resolves to. Throws VALIDATION_ERROR.
 */
export function parseEndpointUrl(address: string): string {
  const text = address.trim();
  if (text.length > MAX_URL) refuse(`url must be at most ${MAX_URL} characters`);
  if (!URL.canParse(text)) refuse("url must be a complete address, such as https://api.example.com/hooks");
  const url = new URL(text);
  const inside = mayBeInside(hostOf(url));
  if (url.protocol !== "https:" && !(inside && url.protocol === "http:")) {
    refuse("url must begin with https://");
  }
  if (url.username !== "" || url.password !== "") refuse("url must not contain a name or password");
  if (!inside && !isPublicHost(hostOf(url))) {
    refuse("url must be on a public host, not in a private network");
  }
  if (!inside && !PORTS.includes(url.port)) refuse("url must use port 443 or 8443");
  url.hash = "";
  return url.href;
}

/** Whether a host is in a network that the operator allows, or is a name that may resolve to one. */
function mayBeInside(host: string): boolean {
  const allowed = env().OUTBOUND_ALLOW;
  return isIP(host) ? isAllowed(host, allowed) : allowed.length > 0;
}

function isPublicHost(host: string): boolean {
  if (isIP(host)) return mayReach(host, []);
  return host.includes(".") && !INSIDE.test(host);
}

const MAX_DESCRIPTION = 200;

/** The settings of an endpoint. */
export const endpointInput = z.object({
  url: z.string({ error: "url is required" }).transform(parseEndpointUrl),
  description: z
    .string()
    .trim()
    .max(MAX_DESCRIPTION, `description must be at most ${MAX_DESCRIPTION} characters`)
    .refine(isLine, "description must not contain control characters")
    .optional(),
  events: z
    .array(z.enum(WEBHOOK_EVENT_NAMES, { error: "events must be among those of the list" }), {
      error: "Choose at least one event",
    })
    .min(1, "Choose at least one event")
    .transform((names) => WEBHOOK_EVENT_NAMES.filter((name) => names.includes(name))),
});

export type EndpointInput = z.input<typeof endpointInput>;
