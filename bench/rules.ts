import { interleave, ratio } from "@/bench/measure";
import { printRuns, printTarget } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { httpSubject, Numbers, type Subject } from "@/bench/subjects";
import { templates } from "@/bench/templates";
import { addCodes, addReferrers, createBenchTenant } from "@/bench/tenant";

const OPEN = "redeem without a cap";
const CAPPED = "redeem with a cap per referrer";

async function redeeming({ db, loader, service, url, quick }: Stage, name: string): Promise<Subject> {
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, name === OPEN ? "open" : "capped", 5_000);
  await addCodes(db, sample.app_id, sample.pools.referee_ios, quick ? 60_000 : 200_000);
  // Never reached: the cost of counting is measured, not that of refusing.
  const cap = name === CAPPED ? 1_000_000 : null;
  await db.query("update apps set referrer_daily_cap = $2 where id = $1", [sample.app_id, cap]);
  const template = templates(sample)["/referee-redeem"];
  return httpSubject(loader, name, {
    port: service.port,
    pids: [service.pid, service.databasePid],
    template,
    numbers: new Numbers(slugs),
  });
}

/** Measures redeem with the cap on codes per referrer, which new live apps have, against redeem without it. */
export async function benchCap(stage: Stage): Promise<void> {
  const subjects = [await redeeming(stage, OPEN), await redeeming(stage, CAPPED)];
  await stage.db.query("vacuum analyze");
  for (const subject of subjects) await subject.run({ connections: 32, seconds: 5, requests: 3_000 });
  for (const connections of [1, 8, 32]) {
    const load = { connections, seconds: stage.quick ? 1 : 2 };
    const runs = await interleave(subjects, load, stage.quick ? 3 : 6);
    printRuns(`${connections} connection${connections === 1 ? "" : "s"}`, runs);
    printTarget("redeem with a cap / without", ratio(runs, CAPPED, OPEN), { least: 0.85 });
  }
}
