import { type CountingProxy, startCountingProxy } from "@/bench/counting-proxy";
import { printTable, printTarget } from "@/bench/print";
import { startService } from "@/bench/service";
import type { Stage } from "@/bench/stage";
import { httpSubject, Numbers } from "@/bench/subjects";
import { inGerman, redeemTemplate, templates } from "@/bench/templates";
import { addCodes, addReferrers, createBenchTenant, switchEveryRuleOn } from "@/bench/tenant";

/**
 * Statements that run once a second, lease quota for the next hundred requests, or look for due webhooks after commits, at most
 * every 20 ms.
 */
const BACKGROUND =
  /^(take_webhooks|take_quota|return_quota|take_budget|note_key_uses|note_key_refusals|store_clicks|store_requests|\(unnamed\))$/;

function namesOf({ statements }: CountingProxy, requests: number): string {
  const each = [...statements].map(([name, count]) => `${name} ${(count / requests).toFixed(2)}`);
  return each.join(", ");
}

function tripsOfRequests({ statements, trips }: CountingProxy): number {
  const background = [...statements].reduce(
    (sum, [name, count]) => sum + (BACKGROUND.test(name) ? count : 0),
    0,
  );
  return trips - background;
}

/** Counts the round trips to the database with a proxy in front of it. */
export async function benchTrips(stage: Stage): Promise<void> {
  const { db, loader, folder, url } = stage;
  const proxy = await startCountingProxy(url);
  const through = new URL(url);
  through.port = String(proxy.port);
  const service = await startService(folder, {
    DATABASE_URL: through.href,
    AUTH_SECRET: "b".repeat(32),
    WEB_PROCESSES: "1",
  });
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, "trips", 100);
  const batch = await addCodes(db, sample.app_id, sample.pools.referee_ios, 4_000);
  const all = {
    ...templates(sample),
    "/referee-redeem, every rule": inGerman(redeemTemplate(sample.api_key, "ruled")),
  };
  const rows: string[][] = [];
  const load = { connections: 1, requests: 500 };
  for (const name of ["/referrer (existing)", "/referee-redeem", "/referee-redeem, every rule"] as const) {
    if (name.endsWith("every rule")) await switchEveryRuleOn(db, sample, batch);
    const target = { port: service.port, pids: [], template: all[name], numbers: new Numbers(slugs) };
    const subject = httpSubject(loader, name, target);
    // The first requests look up the key and lease the first units of quota.
    await subject.run({ connections: 1, requests: 20 });
    proxy.reset();
    const { requests } = await subject.run(load);
    const own = tripsOfRequests(proxy) / requests;
    rows.push([name, (proxy.trips / requests).toFixed(3), namesOf(proxy, requests)]);
    printTarget(`round trips of ${name}, without leases and background writes`, own, { most: 1.005 });
  }
  console.log();
  printTable("a request", ["round trips", "statements"], rows);
  await service.stop();
}
