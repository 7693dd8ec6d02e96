import { BlockList, isIP } from "node:net";
import { fail } from "@/lib/errors";

const MAX = 2_000;

/** Networks of machines, homes and clouds, where a request of this server could reach what it must not. */
const PRIVATE = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
] as const) {
  PRIVATE.addSubnet(network, bits, "ipv4");
}

/** Names that only mean something inside a network. */
const INSIDE = /(^|\.)(localhost|local|internal|lan|home|corp|test|invalid|example)$/i;

function refuse(message: string): never {
  return fail("VALIDATION_ERROR", message, { field: "url" });
}

/**
 * The address of an endpoint, as it is stored. HTTPS, a public host, no password. What a name leads to is looked at
 * again with every delivery, because it may change. Throws VALIDATION_ERROR.
 */
export function parseEndpointUrl(given: string): string {
  const text = given.trim();
  if (text.length > MAX) refuse(`url must be at most ${MAX} characters`);
  if (!URL.canParse(text)) refuse("url must be a complete address, such as https://api.example.com/hooks");
  const url = new URL(text);
  if (url.protocol !== "https:") refuse("url must begin with https://");
  if (url.username !== "" || url.password !== "") refuse("url must not contain a name or password");
  if (!isPublicHost(url.hostname)) refuse("url must lead to a public host, not into a private network");
  url.hash = "";
  return url.href;
}

function isPublicHost(host: string): boolean {
  const address = host.replace(/^\[|\]$/g, "");
  if (isIP(address) === 4) return !PRIVATE.check(address, "ipv4");
  // Global unicast is 2000::/3; all else of IPv6 is private, mapped, or means one machine.
  if (isIP(address) === 6) return /^[23][0-9a-f]{3}:/i.test(address);
  const name = host.replace(/\.$/, "");
  return name.includes(".") && !INSIDE.test(name);
}
