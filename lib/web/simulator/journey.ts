import { randomBytes } from "node:crypto";
import type { Platform } from "@/lib/contract/fields";
import {
  SIMULATED_STEPS,
  type SimulatedJourney,
  type SimulatedStep,
  type SimulatedStepName,
} from "@/lib/contract/simulator";
import { databaseTime } from "@/lib/platform/db/chunks";
import { disableSimulatorKey, enableSimulatorKey } from "@/lib/tenants/api-keys/simulator-key";
import { appSubject } from "@/lib/tenants/apps/app";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";
import { type JourneyHandlers, StepFailure } from "@/lib/web/simulator/exchange";
import { STEP_RUNS } from "@/lib/web/simulator/steps";

/** The state that the steps of a journey share. */
export interface Journey {
  ctx: Context;
  handlers: JourneyHandlers;
  key: string;
  platform: Platform;
  /** Fires when the reader leaves. */
  signal: AbortSignal;
  /** Part of every user id of this journey. */
  run: string;
  startedAt: Date;
  /** The step that runs. */
  step: SimulatedStep;
  changed: () => void;
  referrerUid: string;
  referrerId: string;
  metacode: string;
  clickId: string | undefined;
  /** Number of confirmed friends that earns a reward. */
  threshold: number;
  /** Whether the confirmed friends count only after the campaign's hold, so that no reward is earned now. */
  held: boolean;
  friends: string[];
}

interface Options {
  platform: Platform;
  handlers: JourneyHandlers;
  signal: AbortSignal;
  report: (journey: SimulatedJourney) => void;
}

/**
 * Walks through a referral in a sandbox app, from the metacode to the delivered webhook, with the handlers of the real endpoints
 * and its own key. The first step that fails ends it with the cause. Throws CONFLICT in a live app.
 */
export async function simulateJourney(ctx: Context, options: Options): Promise<SimulatedJourney> {
  const { platform, handlers, signal, report } = options;
  const startedAt = await databaseTime(ctx.db);
  const key = await enableSimulatorKey(ctx);
  const names = Object.keys(SIMULATED_STEPS) as SimulatedStepName[];
  const steps = names.map((name): SimulatedStep => {
    return { name, state: "waiting", note: null, cause: null, exchanges: [] };
  });
  const [first] = steps;
  if (!first) throw new Error("a journey has steps");
  const changed = () => report({ steps });
  const run = randomBytes(3).toString("hex");
  const journey: Journey = {
    ctx,
    handlers,
    key: key.key,
    platform,
    signal,
    run,
    step: first,
    changed,
    referrerUid: `simulated-referrer-${run}`,
    referrerId: "",
    metacode: "",
    clickId: undefined,
    threshold: 0,
    held: false,
    friends: [],
    startedAt,
  };
  try {
    for (const step of steps) await perform(journey, step);
  } finally {
    await disableSimulatorKey(ctx, key);
    await recordAudit(ctx.db, ctx, {
      action: "app.journey_simulated",
      ...appSubject(ctx.app),
      after: { platform, failed: steps.find(({ state }) => state === "failed")?.name ?? null },
    });
  }
  return { steps };
}

/** Runs a step, unless an earlier one failed. */
async function perform(journey: Journey, step: SimulatedStep): Promise<void> {
  const failed = journey.step.state === "failed";
  if (failed || journey.signal.aborted) {
    step.state = "skipped";
    return;
  }
  journey.step = step;
  step.state = "running";
  journey.changed();
  try {
    const { note, skipped } = await STEP_RUNS[step.name](journey);
    step.state = skipped ? "skipped" : "passed";
    step.note = note;
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    step.state = "failed";
    step.cause = error.cause;
  }
  journey.changed();
}
