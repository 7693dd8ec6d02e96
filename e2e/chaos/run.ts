import { copyFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { violations } from "./checks";
import { FAULTS } from "./faults";
import { ReferralLoad } from "./load";
import { startMessages } from "./messages";
import { type PlannedFault, sequenceOf } from "./sequence";
import { settled } from "./settle";
import { type ChaosStage, openStage } from "./stage";

/** Codes of each pool per minute of load, so many that no run empties a pool. */
const CODES_PER_MINUTE = 4_000;

/** Milliseconds from the end of a fault within which the database answers a client again. */
const RECOVERY_MS = 60_000;

const SHOWN = 40;

/** The file of the service's log after a run with violations or an error. */
const LOG = ".build/chaos.log";

interface Options {
  minutes: number;
  seed: number;
  /** Prints a line. */
  say: (line: string) => void;
}

/** A fault as it happened; `recovery` is the time from its end to the next response, in milliseconds. */
interface Struck {
  fault: string;
  recovery: number;
}

/** Runs the service under load and faults, then checks everything. Returns the number of violations. */
export async function runChaos(options: Options): Promise<number> {
  const { minutes, seed, say } = options;
  say(`chaos: ${minutes} min, seed ${seed}`);
  const stage = await openStage(Math.ceil(minutes * CODES_PER_MINUTE), (line) => say(`  ${line}`));
  if (stage.disk.unlimited)
    say(`The disk is never full in this run, because no file system can be mounted: ${stage.disk.unlimited}`);
  let found: string[] | undefined;
  try {
    found = await findViolations(stage, options);
  } finally {
    if (found?.length !== 0) {
      copyFileSync(stage.service.logFile, LOG);
      say(`The log of the service is ${LOG}`);
    }
    say(`\`npm run chaos -- --minutes ${minutes} --seed ${seed}\` repeats the faults`);
  }
  say(`${found.length} violations`);
  return found.length;
}

async function findViolations(stage: ChaosStage, { minutes, seed, say }: Options): Promise<string[]> {
  const load = new ReferralLoad({ port: stage.service.port, sample: stage.sample });
  const messages = { ...(await startMessages(stage)), smtp: stage.smtp };
  const end = performance.now() + minutes * 60_000;
  const struck: Struck[] = [];
  for (const step of sequenceOf(seed)) {
    if (performance.now() >= end) break;
    messages.assertRunning();
    struck.push(await strike(stage, load, step, say));
  }
  say("The faults are over.");
  await messages.stop();
  await load.stop();
  const facts = { stage, load, messages, struck: struck.length };
  const found = [...(await settled(stage, say)), ...(await violations(facts, say))];
  for (const { fault, recovery } of struck)
    if (recovery > RECOVERY_MS) found.push(`no response within ${RECOVERY_MS / 1_000} s after: ${fault}`);
  summarize(struck, say);
  for (const text of found.slice(0, SHOWN)) say(`VIOLATION ${text}`);
  return found;
}

async function strike(
  stage: ChaosStage,
  load: ReferralLoad,
  step: PlannedFault,
  say: Options["say"],
): Promise<Struck> {
  const { fault } = step;
  await pause(step.pause * 1_000);
  stage.service.assertRunning();
  await FAULTS[fault]?.(stage, step);
  const ended = performance.now();
  while (load.answeredAt < ended && performance.now() - ended < RECOVERY_MS + 1_000) await pause(10);
  const recovery = Math.round(load.answeredAt < ended ? Number.POSITIVE_INFINITY : load.answeredAt - ended);
  say(`  ${fault} (${step.seconds.toFixed(1)} s): answered ${recovery} ms after its end`);
  return { fault, recovery };
}

function summarize(struck: Struck[], say: Options["say"]): void {
  for (const fault of Object.keys(FAULTS)) {
    const times = struck.flatMap(({ fault: name, recovery }) => (name === fault ? recovery : []));
    say(`  ${fault.padEnd(28)} ${times.length} times, answered at most ${Math.max(0, ...times)} ms later`);
  }
}
