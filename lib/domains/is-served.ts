import { env } from "@/lib/env";
import { appOfHost } from "./app-of-host";
import { hostName } from "./host";

/** Whether a certificate for this host makes sense: a proved domain, or a host of the service itself. */
export async function isServed(domain: string): Promise<boolean> {
  const name = hostName(domain);
  const { APP_URL, LANDING_URL } = env();
  if ([APP_URL, LANDING_URL].some((url) => new URL(url).hostname === name)) return true;
  return (await appOfHost(name)) !== undefined;
}
