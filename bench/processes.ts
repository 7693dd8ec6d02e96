import { interleave, ratio } from "@/bench/measure";
import { printRuns, printTarget } from "@/bench/print";
import { startService } from "@/bench/service";
import type { Stage } from "@/bench/stage";
import { httpSubject, Numbers } from "@/bench/subjects";
import { redeemTemplate, templates } from "@/bench/templates";
import { addCodes, addReferrers, createBenchTenant } from "@/bench/tenant";

/** Measures the service with one web process and with two behind one port, on the same database. */
export async function benchProcesses(stage: Stage): Promise<void> {
  const { quick, db, loader, folder, service, url } = stage;
  const sample = await createBenchTenant(url);
  const slugs = await addReferrers(db, sample.app_id, "two", 2_000);
  await addCodes(db, sample.app_id, sample.pools.referee_ios, quick ? 40_000 : 150_000);
  const pair = await startService(folder, {
    DATABASE_URL: url,
    AUTH_SECRET: "b".repeat(32),
    WEB_PROCESSES: "2",
  });
  const paths = templates(sample);
  const wanted = {
    "/referrer (existing)": () => paths["/referrer (existing)"],
    "/referee-redeem": (name: string) => redeemTemplate(sample.api_key, name),
    "/r/<slug>": () => paths["/r/<slug>"],
  };
  const subjects = Object.entries(wanted).flatMap(([path, template]) =>
    [service, pair].map(({ port, pid }, index) =>
      httpSubject(loader, `${path}, processes: ${index + 1}`, {
        port,
        pids: [pid, service.databasePid],
        template: template(`processes${index}`),
        numbers: new Numbers(slugs),
      }),
    ),
  );
  // A new process compiles its hot code during the first thousands of requests.
  await interleave(subjects, { connections: 32, seconds: 4 }, 1);
  const runs = await interleave(subjects, { connections: 32, seconds: quick ? 1 : 3 }, quick ? 3 : 5);
  printRuns("32 connections", runs);
  for (const path of Object.keys(wanted)) {
    printTarget(
      `${path}, two processes / one`,
      ratio(runs, `${path}, processes: 2`, `${path}, processes: 1`),
      {
        least: 1,
      },
    );
  }
  console.log();
  await pair.stop();
}
