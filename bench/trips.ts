import { printTable, printTarget } from "@/bench/print";
import { startService } from "@/bench/service";
import type { Stage } from "@/bench/stage";
import { httpSubject, Numbers } from "@/bench/subjects";
import { templates } from "@/bench/templates";
import { addCodes, addReferrers, makeTenant } from "@/bench/tenant";
import { openWire, type Wire } from "@/bench/wire";

/** What runs once a second or pays for the next hundred requests, whoever asks. */
const BESIDE = /^(take_quota|return_quota|note_key_uses|store_clicks|\(unnamed\))$/;

function namesOf({ statements }: Wire, requests: number): string {
  const each = [...statements].map(([name, count]) => `${name} ${(count / requests).toFixed(2)}`);
  return each.join(", ");
}

function oneself({ statements, trips }: Wire): number {
  const beside = [...statements].reduce((sum, [name, count]) => sum + (BESIDE.test(name) ? count : 0), 0);
  return trips - beside;
}

/** Round trips to the database, counted on the wire between the service and it. */
export async function benchTrips(stage: Stage): Promise<void> {
  const { db, loader, folder, url } = stage;
  const wire = await openWire(url);
  const through = new URL(url);
  through.port = String(wire.port);
  const service = await startService(folder, {
    DATABASE_URL: through.href,
    AUTH_SECRET: "b".repeat(32),
    WEB_PROCESSES: "1",
  });
  const sample = await makeTenant(url);
  const slugs = await addReferrers(db, sample.app_id, "trips", 100);
  await addCodes(db, sample.app_id, sample.pools.referee_ios, 2_000);
  const all = templates(sample);
  const rows: string[][] = [];
  const load = { connections: 1, requests: 500 };
  for (const name of ["/referrer (existing)", "/referee-redeem"] as const) {
    const target = { port: service.port, pids: [], template: all[name], numbers: new Numbers(slugs) };
    const subject = httpSubject(loader, name, target);
    // The first requests look up the key and take the first share of the quota.
    await subject.run({ connections: 1, requests: 20 });
    wire.reset();
    const { requests } = await subject.run(load);
    const own = oneself(wire) / requests;
    rows.push([name, (wire.trips / requests).toFixed(3), namesOf(wire, requests)]);
    printTarget(`round trips of ${name}, quota shares and notes apart`, own, { most: 1.005 });
  }
  console.log();
  printTable("a request", ["round trips", "statements"], rows);
  await service.stop();
}
