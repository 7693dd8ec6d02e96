import { and, eq, inArray, isNull } from "drizzle-orm";
import { domainProblem } from "@/lib/contract/domain";
import { broadcast, onBroadcast } from "@/lib/platform/broadcast/broadcast";
import { Cache } from "@/lib/platform/cache";
import { database } from "@/lib/platform/db/client";
import { GroupCommit } from "@/lib/platform/db/group-commit";
import { apps, landingDomains } from "@/lib/platform/db/schema";
import { env } from "@/lib/platform/env";
import { forgetSingleton, singleton } from "@/lib/platform/singleton";
import { forgetApp } from "@/lib/tenants/apps/forget";
import { hostName, isOwnHost } from "./link";

/** Milliseconds, as for API keys. Unknown hosts are cached too, so the cache needs a bound. */
const TTL = 5_000;
const SIZE = 10_000;

/** Maximum hosts that one statement looks up. */
const MOST_TOGETHER = 1_000;

/** The app of a host; without an id for a host of no app. */
interface HostApp {
  id?: string | undefined;
}

/**
 * Recently requested hosts by name. Hosts of no app are cached apart, so invented ones evict no app's host. Two
 * statements at once look up all that wait, so invented names delay no app's host and leave the pool to the API.
 */
const hosts = () =>
  singleton("domains.hosts", () => ({
    ofApps: new Cache<HostApp>(TTL, SIZE),
    others: new Cache<HostApp>(TTL, SIZE),
    lookUps: new GroupCommit<string, HostApp>({
      runAlone: async (name) => (await load([name]))[0] ?? {},
      runTogether: load,
      failsForAll: true,
      conflictKeys: (name) => [name],
      onEmpty: () => undefined,
      most: MOST_TOGETHER,
    }),
  }));

/** Drops every host of this process, and every look-up under way, which may have read the old state. */
export const forgetHosts = () => forgetSingleton("domains.hosts");

/** The apps of hosts, in their order. */
async function load(names: readonly string[]): Promise<HostApp[]> {
  const rows = await database()
    .orm.select({ domain: landingDomains.domain, id: apps.id })
    .from(landingDomains)
    .innerJoin(apps, and(eq(apps.id, landingDomains.appId), isNull(apps.deletedAt)))
    .where(inArray(landingDomains.domain, names));
  const found = new Map(rows.map(({ domain, id }) => [domain, id]));
  return names.map((name) => ({ id: found.get(name) }));
}

/**
 * The id of the app with the domain in a Host header. The service's own hosts and names that no app can have, such as
 * those of probes, give undefined without a promise; others are cached for 5 s. During an outage of the database the
 * last answer counts, so that an app's domain never shows the dashboard; rejects without one.
 */
export function appOfHost(host: string | null | undefined): Promise<string | undefined> | undefined {
  const name = hostName(host ?? "");
  if (isOwnHost(name) || domainProblem(name)) return undefined;
  const { ofApps, others, lookUps } = hosts();
  const cache = ofApps.last(name)?.id ? ofApps : others;
  return cache
    .get(name, () => lookUps.run(name))
    .then(
      (app) => {
        if (app.id && cache === others) {
          others.forget(name);
          void ofApps.get(name, async () => app);
        }
        return app.id;
      },
      (error: unknown) => {
        const known = cache.last(name);
        if (!known) throw error;
        return known.id;
      },
    );
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
  forgetHosts();
  forgetSingleton("landing.invitations");
  forgetSingleton("deep-links.files");
}
