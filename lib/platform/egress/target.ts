import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import { EgressError } from "@/lib/platform/egress/failure";
import { embeddedIpv4 } from "@/lib/platform/limits/address";

type Address = ReturnType<typeof ipaddr.parse>;

/**
 * True for a public address. Of IPv6 only 2000::/3 is public; the rest is this machine, a private network, or
 * another spelling of IPv4. 6to4 and Teredo are refused, because both hide an IPv4 address.
 */
function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || (address.toByteArray()[0] ?? 0) >> 5 === 1;
}

/** Cached: receivers rarely change their addresses, and reading one costs more than the rest of a check. */
const parsedAddresses = new LRUCache<string, Address>({ max: 5_000 });

/** The address in a text, or the IPv4 address inside it; undefined for any other text. */
function parseAddress(text: string): Address | undefined {
  const known = parsedAddresses.get(text);
  if (known) return known;
  const version = isIP(text);
  if (version === 0) return undefined;
  const address = embeddedIpv4(version === 4 ? ipaddr.IPv4.parse(text) : ipaddr.IPv6.parse(text));
  parsedAddresses.set(text, address);
  return address;
}

/** The operator's few ranges, cached: parsing one costs more than the rest of a check. */
const parsedRanges = new Map<string, [Address, number]>();

function parseRange(text: string): [Address, number] {
  const known = parsedRanges.get(text);
  if (known) return known;
  const range: [Address, number] = ipaddr.parseCIDR(text);
  parsedRanges.set(text, range);
  return range;
}

const isWithin = (address: Address, allowed: readonly string[]): boolean =>
  allowed.some((range) => {
    const [network, bits] = parseRange(range);
    return network.kind() === address.kind() && address.match(network, bits);
  });

/** True if the operator allowed the range of an address. */
export function isAllowed(text: string, allowed: readonly string[]): boolean {
  const address = parseAddress(text);
  return address !== undefined && isWithin(address, allowed);
}

/** True if a request may be sent to an address: it is public, or in a range that the operator allowed. */
export function mayReach(text: string, allowed: readonly string[]): boolean {
  const address = parseAddress(text);
  return address !== undefined && (isPublic(address) || isWithin(address, allowed));
}

/** Returns every address of a host name; throws if it has none. */
export type Resolve = (host: string) => Promise<string[]>;

const TIMEOUT_MS = 2_500;

/**
 * Milliseconds for which addresses wait for those of the other family. Some name servers never answer for IPv6: two of
 * them take 13 s to give up, of the 15 s that a request has.
 */
const OTHER_FAMILY_MS = 500;

/**
 * Resolves with the name servers instead of the system's resolver, which blocks one of four threads for as long as
 * a slow name server takes; file access and password hashing share these threads.
 */
async function byNameServers(host: string): Promise<string[] | undefined> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  const found: string[][] = [[], []];
  const answers = [resolver.resolve4(host), resolver.resolve6(host)].map(async (answer, family) => {
    found[family] = await answer.catch(() => []);
  });
  const both = Promise.all(answers);
  const enough = answers.map(async (answer, family) => {
    await answer;
    await (found[family]?.length ? pause(OTHER_FAMILY_MS, undefined, { ref: false }) : both);
  });
  await Promise.race([both, ...enough]);
  const addresses = found.flat();
  return addresses.length > 0 ? addresses : undefined;
}

/** The addresses of names, cached for 5 s: a look-up costs twice the CPU of the request. Each request checks them. */
const resolvedHosts = new LRUCache<string, string[]>({ max: 1_000, ttl: 5_000, fetchMethod: byNameServers });

async function bySystem(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** Addresses of a host. Names that only this machine knows count where the operator `allows` private networks. */
async function resolveHost(host: string, allows: boolean): Promise<string[]> {
  if (isIP(host)) return [host];
  const resolved = await resolvedHosts.fetch(host);
  if (resolved) return resolved;
  const own = allows ? await bySystem(host).catch(() => []) : [];
  if (own.length > 0) return own;
  throw new EgressError("unknown_host", "The host name does not resolve");
}

/** The ports of HTTPS; another port of a public host is another service. */
export const PORTS = ["", "443", "8443"];

/** An address that passed the checks, with the checked addresses of its host. */
export interface Target {
  url: URL;
  addresses: string[];
}

function refuse(message: string): never {
  throw new EgressError("refused", message);
}

/** The host for the network: IPv6 without brackets, a name without its last dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

const parsedUrls = new LRUCache<string, URL>({ max: 1_000 });

/** An address as a URL, which callers never change; undefined for any other text. */
export function urlOf(address: string): URL | undefined {
  const known = parsedUrls.get(address);
  if (known || !URL.canParse(address)) return known;
  const url = new URL(address);
  parsedUrls.set(address, url);
  return url;
}

function parse(address: string): URL {
  const url = urlOf(address) ?? refuse("The address is incomplete");
  if (!/^https?:$/.test(url.protocol)) refuse("The address must begin with https://");
  // Without its last dot, `127.0.0.1..` would be an address, which is connected to without a look-up.
  if (url.hostname.endsWith("..")) refuse("The host name must not end with two dots");
  if (url.username !== "" || url.password !== "") refuse("The address must not contain a name or password");
  return url;
}

/**
 * Resolves and checks an address. Every address of the host must be public or in a range of `allowed`; plain HTTP and
 * other ports are for allowed ranges only. Throws {@link EgressError}.
 */
export async function checkTarget(
  address: string,
  allowed: readonly string[],
  resolve: Resolve = (host) => resolveHost(host, allowed.length > 0),
): Promise<Target> {
  const url = parse(address);
  const addresses = await resolve(hostOf(url));
  if (addresses.length === 0) throw new EgressError("unknown_host", "The host name does not resolve");
  if (!addresses.every((ip) => mayReach(ip, allowed))) {
    refuse("The address is in a private network, so nothing was sent");
  }
  if (addresses.every((ip) => isAllowed(ip, allowed))) return { url, addresses };
  if (url.protocol !== "https:") refuse("The address must begin with https://");
  if (!PORTS.includes(url.port)) refuse("The port must be 443 or 8443");
  return { url, addresses };
}
