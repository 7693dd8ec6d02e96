import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/** The shared bucket of all text that is not an address, so that invented text cannot create buckets. */
const UNKNOWN = "unknown";

/** Bits of an IPv6 address that identify a household or a rented server, which owns a /64. */
const HOUSEHOLD_BITS = 64;

type Address = ReturnType<typeof ipaddr.parse>;

/** The IPv4 address inside an IPv6 one, as the kernel (`::ffff:`) or a translator (`64:ff9b::`) writes it. */
export function embeddedIpv4(address: Address): Address {
  if (address.kind() === "ipv4") return address;
  const bytes = address.toByteArray();
  const prefix = bytes.slice(0, 12).join(".");
  const embedsIpv4 = prefix === "0.0.0.0.0.0.0.0.0.0.255.255" || prefix === "0.100.255.155.0.0.0.0.0.0.0.0";
  return embedsIpv4 ? new ipaddr.IPv4(bytes.slice(12)) : address;
}

/** The IPv6 address in a text, without its zone, or the IPv4 address inside it; undefined if there is none. */
function parseIPv6(text: string): Address | undefined {
  const bare = text.split("%", 1)[0] ?? "";
  return isIPv6(bare) ? embeddedIpv4(ipaddr.IPv6.parse(bare)) : undefined;
}

/** IPv4 within IPv6 as that IPv4 address; any other text unchanged. */
export function unmapped(address: string): string {
  const parsed = parseIPv6(address);
  return parsed instanceof ipaddr.IPv4 ? parsed.toString() : address;
}

/**
 * The bucket of a caller's address: an IPv4 address has its own, an IPv6 address counts as its /64, and IPv4 within
 * IPv6 counts as that IPv4 address: behind a translator all callers would share one /64.
 */
export function addressBucket(address: string): string {
  if (isIPv4(address)) return address;
  const parsed = parseIPv6(address);
  if (!parsed) return UNKNOWN;
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const household = parsed.parts.slice(0, HOUSEHOLD_BITS / 16).map((part) => part.toString(16));
  return `${household.join(":")}::/${HOUSEHOLD_BITS}`;
}
