import ipaddr from "ipaddr.js";

type Address = ReturnType<typeof ipaddr.parse>;

/** The IPv4 address that an IPv6 one stands for, where a gateway or the kernel would send to that. */
function lookThrough(address: Address): Address {
  if (address.kind() === "ipv4") return address;
  const bytes = address.toByteArray();
  const prefix = bytes.slice(0, 12).join(".");
  const stands = prefix === "0.0.0.0.0.0.0.0.0.0.255.255" || prefix === "0.100.255.155.0.0.0.0.0.0.0.0";
  return stands ? new ipaddr.IPv4(bytes.slice(12)) : address;
}

/**
 * Whether an address is one that anybody may reach. Of IPv6 only 2000::/3 is given out for that; all else is one
 * machine, one network, or another spelling of IPv4. 6to4 and Teredo are refused: both hide an IPv4 address.
 */
function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || (address.toByteArray()[0] ?? 0) >> 5 === 1;
}

/** Whether the operator allowed the range that holds an address. */
export function isAllowed(text: string, allowed: readonly string[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = lookThrough(ipaddr.parse(text));
  return allowed.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  });
}

/** Whether a request may be sent to an address: it is public, or in a range that the operator allowed. */
export function mayReach(text: string, allowed: readonly string[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  return isPublic(lookThrough(ipaddr.parse(text))) || isAllowed(text, allowed);
}
