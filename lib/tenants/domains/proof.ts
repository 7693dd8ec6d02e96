import { Resolver } from "node:dns/promises";
import { RECORD_PREFIX, recordValue } from "@/lib/contract/domain";
import { env } from "@/lib/platform/env";

/** The state of the TXT record that proves a domain. A timeout (`silent`) never loses a domain. */
type DomainRecord =
  | { state: "there" }
  | { state: "missing"; found: string[] }
  | { state: "silent"; cause: unknown };

const NOTHING = new Set(["ENODATA", "ENOTFOUND"]);

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Looks up the TXT record that proves a domain for an app, within 10 s. */
export async function checkDomainRecord(domain: string, appId: string): Promise<DomainRecord> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const servers = env().DNS_SERVERS;
  if (servers.length > 0) resolver.setServers(servers);
  try {
    const records = await resolver.resolveTxt(RECORD_PREFIX + domain);
    const found = records.map((parts) => parts.join("").trim());
    return found.includes(recordValue(appId)) ? { state: "there" } : { state: "missing", found };
  } catch (error) {
    return NOTHING.has(codeOf(error)) ? { state: "missing", found: [] } : { state: "silent", cause: error };
  }
}
