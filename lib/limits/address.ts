import { isIPv4, isIPv6 } from "node:net";

/** Every address that is none shares one bucket, so that made-up text cannot make buckets. */
const UNKNOWN = "unknown";

/**
 * Names the bucket of a caller's address: an IPv4 address is its own, an IPv6 address counts as its /64 (a household
 * or a rented server owns a whole one), IPv4 mapped into IPv6 counts as that IPv4 address.
 */
export function addressBucket(address: string): string {
  if (isIPv4(address)) return address;
  const bare = address.split("%", 1)[0] ?? "";
  if (!isIPv6(bare)) return UNKNOWN;
  const groups = expand(bare);
  return (
    mappedIPv4(groups) ??
    `${groups
      .slice(0, 4)
      .map((group) => group.toString(16))
      .join(":")}::/64`
  );
}

/** The eight numbers of a valid IPv6 address. */
function expand(address: string): number[] {
  const [head = "", tail] = address.split("::");
  const before = groupsOf(head);
  if (tail === undefined) return before;
  const after = groupsOf(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** A dotted ending such as `::ffff:192.0.2.1` stands for two groups. */
function groupsOf(part: string): number[] {
  if (part === "") return [];
  return part.split(":").flatMap((group) => {
    if (!group.includes(".")) return [Number.parseInt(group, 16)];
    const [a = 0, b = 0, c = 0, d = 0] = group.split(".").map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

function mappedIPv4(groups: number[]): string | undefined {
  const [high = 0, low = 0] = groups.slice(6);
  const mapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return mapped ? [high >> 8, high & 255, low >> 8, low & 255].join(".") : undefined;
}
