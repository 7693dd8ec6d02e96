import { interleave, ratio } from "@/bench/measure";
import { printRuns, printTarget } from "@/bench/print";
import type { Stage } from "@/bench/stage";
import { httpSubject, Numbers, type Subject } from "@/bench/subjects";
import { inGerman, redeemTemplate } from "@/bench/templates";
import { addCodes, addReferrers, createBenchTenant, switchEveryRuleOn } from "@/bench/tenant";

const OPEN = "redeem without rules";
const CAPPED = "with a cap per referrer";
const EVERY = "with every rule";

/** The subjects, each with the beginning of its metacodes. */
const SUBJECTS = { [OPEN]: "open", [CAPPED]: "capped", [EVERY]: "every" };

async function redeeming(stage: Stage, name: string, prefix: string): Promise<Subject> {
  const { db, loader, service, url, quick } = stage;
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, prefix, 5_000);
  const batch = await addCodes(db, sample.app_id, sample.pools.referee_ios, quick ? 60_000 : 200_000);
  // Never reached, because the cost of counting is measured, not the cost of refusing.
  const cap = name === OPEN ? null : 1_000_000;
  await db.query("update apps set referrer_daily_cap = $2 where id = $1", [sample.app_id, cap]);
  const template = redeemTemplate(sample.api_key, "redeem");
  if (name === EVERY) await switchEveryRuleOn(db, sample, batch);
  return httpSubject(loader, name, {
    port: service.port,
    pids: [service.pid, service.databasePid],
    template: name === EVERY ? inGerman(template) : template,
    numbers: new Numbers(slugs),
  });
}

/**
 * Measures redeem with the cap on codes per referrer, which new live apps have, and with every rule of a campaign, against
 * redeem without them.
 */
export async function benchRules(stage: Stage): Promise<void> {
  const subjects: Subject[] = [];
  for (const [name, prefix] of Object.entries(SUBJECTS)) subjects.push(await redeeming(stage, name, prefix));
  await stage.db.query("vacuum analyze");
  for (const subject of subjects) await subject.run({ connections: 32, seconds: 5, requests: 3_000 });
  for (const connections of [1, 8, 32]) {
    const load = { connections, seconds: stage.quick ? 1 : 2 };
    const runs = await interleave(subjects, load, stage.quick ? 3 : 6);
    printRuns(`${connections} connection${connections === 1 ? "" : "s"}`, runs);
    printTarget("redeem with a cap / without rules", ratio(runs, CAPPED, OPEN), { least: 0.85 });
    printTarget("redeem with every rule / without", ratio(runs, EVERY, OPEN), { least: 0.7 });
  }
}
