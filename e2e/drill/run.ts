import { copyFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { violations } from "../chaos/checks";
import { type LoadHistory, ReferralLoad } from "../chaos/load";
import { settled } from "../chaos/settle";
import { browse } from "./dashboard";
import { until } from "./program";
import { report } from "./report";
import { type DrillStage, openDrillStage } from "./stage";
import { DRILL_STEPS } from "./steps";
import { Timeline } from "./timeline";

/** Milliseconds of normal service before and after each failure. */
const NORMAL_MS = 4_000;

/** Codes of each pool, more than the steps can assign. */
const CODES = 20_000;

/** Seconds for the deliveries of a step, and of the whole drill, because the second retry comes after five minutes or more. */
const STEP_DELIVERED_S = 20;
const ALL_DELIVERED_S = 900;

interface Options {
  /** A new folder for everything that the drill writes. */
  folder: string;
  programs: string;
  /** The release that runs at first, and the entry of the release that replaces it. */
  release: string;
  next: string;
  /** A part of the names of the steps to run; all run without it. */
  only?: string;
  say: (line: string) => void;
}

/** The logs of the instances. */
const logFile = (index: number) => `.build/drill-instance-${index + 1}.log`;

/** All loads so far as one history. */
function together(loads: LoadHistory[]): LoadHistory {
  return {
    attempts: loads.flatMap(({ attempts }) => attempts),
    metacodes: new Map(loads.flatMap(({ metacodes }) => [...metacodes])),
    confirmed: loads.flatMap(({ confirmed }) => confirmed),
    claimed: loads.flatMap(({ claimed }) => claimed),
    complaints: loads.flatMap(({ complaints }) => complaints),
    requests: loads.reduce((sum, { requests }) => sum + requests, 0),
  };
}

async function delivered({ db }: DrillStage): Promise<boolean> {
  const { rows } = await db.pool.query<{ open: number }>(
    "select count(*)::int as open from webhook_deliveries where status in ('pending', 'failed')",
  );
  return rows[0]?.open === 0;
}

/** Runs every step under load, with its checks, and returns everything that is wrong. */
export async function runDrill({ folder, programs, release, next, only, say }: Options): Promise<string[]> {
  const stage = await openDrillStage({ folder, programs, release, codes: CODES, say });
  const steps = DRILL_STEPS.filter(({ name }) => name.includes(only ?? ""));
  const loads: LoadHistory[] = [];
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const timeline = new Timeline();
    const watch = timeline.note.bind(timeline);
    const prefix = `${index}-`;
    const load = new ReferralLoad({
      port: stage.front,
      sample: stage.sample,
      prefix,
      alwaysKeyed: true,
      watch,
    });
    const leave = await browse(stage.base, stage.sample, watch);
    await pause(NORMAL_MS);
    await step.strike(stage, { next });
    const over = performance.now();
    await until("calls succeed again", () => timeline.answeredSince(over));
    await step.repair?.(stage);
    await pause(NORMAL_MS);
    timeline.end();
    await Promise.all([load.stop(), leave()]);
    loads.push(load);
    await until("its webhooks are delivered", () => delivered(stage), STEP_DELIVERED_S).catch(
      () => undefined,
    );
    const facts = { stage, load: together(loads), struck: index + 1, underWay: true, repeating: true };
    const found = (await violations(facts, () => undefined)).filter((text) => !seen.has(text));
    for (const text of found) seen.add(text);
    const outcome = report(step.name, timeline, found, step.target);
    say(outcome.line);
    faults.push(...outcome.faults);
  }
  await until("every webhook is delivered", () => delivered(stage), ALL_DELIVERED_S);
  const service = { port: stage.front };
  faults.push(...(await settled({ ...stage, service }, say)));
  const facts = { stage, load: together(loads), struck: steps.length, repeating: true };
  const found = await violations(facts, say);
  faults.push(...found.filter((text) => !seen.has(text)));
  if (faults.length > 0)
    for (const [index, instance] of [stage.first, stage.second].entries())
      copyFileSync(instance.logFile, logFile(index));
  return faults;
}
