import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** The shared bucket of all text that is not an address, so that invented text cannot create buckets. */
const UNKNOWN = "unknown";

/** Bits of an IPv6 address that identify a household or a rented server, which owns a /64. */
const HOUSEHOLD_BITS = 64;

/** The IPv6 address in a text, without its zone; undefined if there is none. */
function parseIPv6(text: string): ipaddr.IPv6 | undefined {
  const bare = text.split("%", 1)[0] ?? "";
  return isIPv6(bare) ? ipaddr.IPv6.parse(bare) : undefined;
}

/** IPv4 mapped into IPv6 as that IPv4 address; any other text unchanged. */
export function unmapped(address: string): string {
  const parsed = parseIPv6(address);
  return parsed?.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : address;
}

/**
 * The bucket of a caller's address: an IPv4 address has its own, an IPv6 address counts as its /64, and IPv4 mapped
 * into IPv6 counts as that IPv4 address.
 */
export function addressBucket(address: string): string {
  if (isIPv4(address)) return address;
  const parsed = parseIPv6(address);
  if (!parsed) return UNKNOWN;
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const household = parsed.parts.slice(0, HOUSEHOLD_BITS / 16).map((part) => part.toString(16));
  return `${household.join(":")}::/${HOUSEHOLD_BITS}`;
}
