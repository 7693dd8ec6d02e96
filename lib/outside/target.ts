import { OutsideError } from "./failure";
import { isAllowed, mayReach } from "./ranges";
import { type Resolve, resolveHost } from "./resolve";

/** Where HTTPS lives; another port of a public host is another service. */
export const PORTS = ["", "443", "8443"];

/** An address that may be connected to, with the host's addresses, each of them checked. */
export interface Target {
  url: URL;
  addresses: string[];
}

function refuse(message: string): never {
  throw new OutsideError("refused", message);
}

/** The host as the network knows it: IPv6 without brackets, a name without its last dot. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function parse(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : refuse("The address is not complete");
  if (!/^https?:$/.test(url.protocol)) refuse("The address must begin with https://");
  if (url.username !== "" || url.password !== "") refuse("The address must not contain a name or password");
  return url;
}

/**
 * Looks where an address leads, now. Every address of the host must be public or in a range of `allowed`; plain HTTP
 * and odd ports go to allowed ranges only. Throws {@link OutsideError}.
 */
export async function checkTarget(
  address: string,
  allowed: readonly string[],
  resolve: Resolve = (host) => resolveHost(host, allowed.length > 0),
): Promise<Target> {
  const url = parse(address);
  const addresses = await resolve(hostOf(url));
  if (addresses.length === 0) throw new OutsideError("unknown_host", "The host name leads nowhere");
  if (!addresses.every((one) => mayReach(one, allowed))) {
    refuse("The address leads into a private network, where nothing is sent");
  }
  if (addresses.every((one) => isAllowed(one, allowed))) return { url, addresses };
  if (url.protocol !== "https:") refuse("The address must begin with https://");
  if (!PORTS.includes(url.port)) refuse("The port must be 443 or 8443");
  return { url, addresses };
}
