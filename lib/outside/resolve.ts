import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";
import { OutsideError } from "./failure";

/** Every address of a host name; throws where it has none. */
export type Resolve = (host: string) => Promise<string[]>;

const TIMEOUT_MS = 2_500;

/**
 * Asks the name servers and not the system's resolver: that one holds one of four threads for as long as a slow name
 * server likes, and files and passwords wait for the same four.
 */
async function byNameServers(host: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

async function bySystem(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true, verbatim: true });
  return found.map(({ address }) => address);
}

/** Addresses of a host. Names of the machine itself are known only where the operator `allows` networks of his own. */
export async function resolveHost(host: string, allows: boolean): Promise<string[]> {
  if (isIP(host)) return [host];
  const found = await byNameServers(host);
  if (found.length > 0) return found;
  const own = allows ? await bySystem(host).catch(() => []) : [];
  if (own.length > 0) return own;
  throw new OutsideError("unknown_host", "The host name leads nowhere");
}
