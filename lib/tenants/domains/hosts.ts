import { isIP } from "node:net";
import { and, eq, isNull } from "drizzle-orm";
import pLimit from "p-limit";
import { broadcast, onBroadcast } from "@/lib/platform/broadcast/broadcast";
import { Cache } from "@/lib/platform/cache";
import { type Db, database } from "@/lib/platform/db/client";
import { apps, landingDomains } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { forgetSingleton, singleton } from "@/lib/platform/singleton";
import { forgetApp } from "@/lib/tenants/apps/forget";

/** The name in a Host header or a typed domain: lower case, without port and trailing dot. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d+$/, "").replace(/\.$/, "");
}

/** The hosts of `APP_URL` and `LANDING_URL`. */
function ownHosts(): ReadonlySet<string> {
  return singleton("domains.own-hosts", () => {
    const { APP_URL, LANDING_URL } = env();
    return new Set([APP_URL, LANDING_URL].map((url) => new URL(url).hostname));
  });
}

/**
 * Whether a host belongs to the service and therefore to no app, decided without a look-up. `name` comes from
 * `hostName`.
 */
export function isOwnHost(name: string): boolean {
  return ownHosts().has(name) || name === "localhost" || name.startsWith("[") || isIP(name) !== 0;
}

/** Milliseconds, as for API keys. Unknown hosts are cached too, so the cache needs a bound. */
const TTL = 5_000;
const SIZE = 10_000;

/** Hosts that are looked up at once, so that strangers who make names up leave the pool to the API. */
const CONCURRENT = 2;

/** The maximum length of a domain name. */
const NAME = /^[a-z0-9.-]{4,253}$/;

/** App ids of recently requested hosts, by name; undefined for hosts of no app. */
export const hostCache = () => singleton("domains.hosts", () => new Cache<string | undefined>(TTL, SIZE));

async function load(db: Db, name: string): Promise<string | undefined> {
  const [row] = await db.orm
    .select({ id: apps.id })
    .from(landingDomains)
    .innerJoin(apps, and(eq(apps.id, landingDomains.appId), isNull(apps.deletedAt)))
    .where(eq(landingDomains.domain, name));
  return row?.id;
}

/**
 * The id of the app with the domain in a Host header. The service's own hosts give undefined without a promise; others
 * are looked up and cached for 5 s. During an outage of the database the last answer stands, so that an app's domain
 * never shows the dashboard.
 */
export function appOfHost(
  host: string | null | undefined,
  db: Db = database(),
): Promise<string | undefined> | undefined {
  const name = hostName(host ?? "");
  if (isOwnHost(name) || !NAME.test(name)) return undefined;
  const cache = hostCache();
  const limit = singleton("domains.look-ups", () => pLimit(CONCURRENT));
  return cache
    .get(name, () => limit(load, db, name))
    .catch((error: unknown) => {
      const known = cache.last(name);
      if (known === undefined) throw error;
      return known;
    });
}

/** Whether a proxy may request a certificate for this host: a verified domain, or a host of the service. */
export async function isServedHost(domain: string): Promise<boolean> {
  const name = hostName(domain);
  const { APP_URL, LANDING_URL } = env();
  if ([APP_URL, LANDING_URL].some((url) => new URL(url).hostname === name)) return true;
  return (await appOfHost(name)) !== undefined;
}

const KIND = "domain";

/** Drops hosts and the app from the caches of every process on this machine; other machines follow within 5 s. */
export async function forgetDomain(appId: string): Promise<void> {
  forgetHere();
  await broadcast({ kind: KIND });
  await forgetApp(appId);
}

/** To be called once by every process that serves requests. */
export function listenForChangedDomains(): void {
  onBroadcast(KIND, forgetHere);
}

/** Drops all entries: landing pages and association files of a domain are cached by other keys. */
function forgetHere(): void {
  hostCache().forgetWhere(() => true);
  forgetSingleton("landing.invitations");
  forgetSingleton("deep-links.files");
}
