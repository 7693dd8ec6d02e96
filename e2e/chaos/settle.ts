import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { installationBacklogs } from "@/lib/outward/problems/backlogs";
import { LATE_S, lateOf } from "@/lib/platform/jobs/backlog";
import { countedBatches, countedDays, storedBatches, storedDays } from "@/lib/testing/daily-figures";
import type { CheckedStage } from "./checks";

/** The stage of the checks, and the port of the service. */
type SettledStage = CheckedStage & { service: { port: number } };

/** Seconds after the last fault within which all work is done: events settle for a minute before they are counted. */
const SETTLE_S = 240;

type Question = (stage: SettledStage) => Promise<string[]>;

async function count(stage: SettledStage, name: string, from: string): Promise<string[]> {
  const { rows } = await stage.db.pool.query<{ n: number }>(`select count(*)::int as n from ${from}`);
  return rows[0]?.n ? [`${rows[0].n} ${name}`] : [];
}

const figures: Question = async ({ ctx }) => {
  const equal =
    isDeepStrictEqual(await storedDays(ctx.app.id), await countedDays(ctx.app.id)) &&
    isDeepStrictEqual(await storedBatches(ctx.app.id), await countedBatches(ctx.app.id));
  return equal ? [] : ["figures that differ from the rows"];
};

const backlogs: Question = async ({ db }) =>
  lateOf(await installationBacklogs(db), LATE_S).map(({ name, seconds }) => `${name}, due for ${seconds} s`);

const health: Question = async ({ service }) => {
  const answer = await fetch(`http://127.0.0.1:${service.port}/api/health`).catch(() => undefined);
  const text = await answer?.text();
  return text?.includes('"ok"') ? [] : [`/api/health: ${text}`];
};

/** Queries whose results are empty once all work is done. */
const QUESTIONS: Question[] = [
  (stage) => count(stage, "open deliveries", "webhook_deliveries where status in ('pending', 'failed')"),
  (stage) => count(stage, "dead deliveries", "webhook_deliveries where status = 'dead'"),
  (stage) => count(stage, "waiting emails", "mails where sent_at is null and failed_at is null"),
  (stage) => count(stage, "failed emails", "mails where failed_at is not null"),
  (stage) => count(stage, "waiting alerts", "alert_posts"),
  (stage) => count(stage, "unapplied events", "provider_events where verdict in ('received', 'failed')"),
  (stage) =>
    count(stage, "rounds with a dead lease", "rounds where leased_until < now() - interval '1 minute'"),
  figures,
  backlogs,
  health,
];

/** Waits until all work is done, and returns what is still open after the given number of seconds. */
export async function settled(
  stage: SettledStage,
  say: (line: string) => void,
  patience = SETTLE_S,
): Promise<string[]> {
  const begin = performance.now();
  for (;;) {
    const open = (await Promise.all(QUESTIONS.map((ask) => ask(stage)))).flat();
    const seconds = Math.round((performance.now() - begin) / 1_000);
    if (open.length === 0) say(`All work was done ${seconds} s after the load.`);
    if (open.length === 0 || seconds >= patience) return open.map((text) => `stuck: ${text}`);
    await pause(2_000);
  }
}
