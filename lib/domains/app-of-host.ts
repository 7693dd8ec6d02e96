import { and, eq, isNull } from "drizzle-orm";
import { Cache } from "@/lib/cache";
import { type Db, database } from "@/lib/db/client";
import { apps, landingDomains } from "@/lib/db/schema";
import { shared } from "@/lib/shared";
import { hostName, isOwnHost } from "./host";

/** As long as a process may go on with an old key; strangers' hosts are kept too, so the bound matters. */
const TTL = 5_000;
const SIZE = 10_000;

/** No registered name is longer. */
const NAME = /^[a-z0-9.-]{4,253}$/;

/** Hosts asked for lately, by name; those of no app as undefined. */
export const hostCache = () => shared("domains.hosts", () => new Cache<string | undefined>(TTL, SIZE));

async function load(db: Db, name: string): Promise<string | undefined> {
  const [row] = await db.orm
    .select({ id: apps.id })
    .from(landingDomains)
    .innerJoin(apps, and(eq(apps.id, landingDomains.appId), isNull(apps.deletedAt)))
    .where(eq(landingDomains.domain, name));
  return row?.id;
}

/**
 * The id of the app whose own domain a Host header names; undefined at once for the service's own hosts, and after a
 * look-up, kept for 5 s, for any other. While the database is away a domain stays what it was, so that an outage shows no
 * dashboard on it.
 */
export function appOfHost(
  host: string | null | undefined,
  db: Db = database(),
): Promise<string | undefined> | undefined {
  const name = hostName(host ?? "");
  if (isOwnHost(name) || !NAME.test(name)) return undefined;
  const cache = hostCache();
  return cache
    .get(name, () => load(db, name))
    .catch((error: unknown) => {
      const known = cache.last(name);
      if (known === undefined) throw error;
      return known;
    });
}
