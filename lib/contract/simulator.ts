import { z } from "zod";
import { platformField } from "./fields";

/** The steps of the simulated journey, in their order. */
export const SIMULATED_STEPS = {
  referrer: "A user gets a metacode",
  landing: "A friend opens the link",
  redeem: "Friends redeem the metacode",
  purchase: "Their purchases are confirmed",
  reward: "The referrer earns a reward",
  claim: "The referrer claims it",
  webhook: "Your server is notified",
} as const;

export type SimulatedStepName = keyof typeof SIMULATED_STEPS;

/** A request of the simulation with its answer. */
export interface SimulatedExchange {
  /** `POST /api/referrer` */
  request: string;
  /** The headers and the body that were sent, without the secret part of the key. */
  sent: string;
  /** Null without an answer. */
  status: number | null;
  answer: string;
  ms: number;
}

/** Why a step failed, and the page that helps. */
export interface SimulatedCause {
  why: string;
  todo: string;
  /** Below the app's own path. */
  section?: { path: string; name: string };
}

export interface SimulatedStep {
  name: SimulatedStepName;
  /** `skipped`: an earlier step failed, or there is nothing to do. */
  state: "waiting" | "running" | "passed" | "failed" | "skipped";
  /** The result in one sentence. */
  note: string | null;
  cause: SimulatedCause | null;
  exchanges: SimulatedExchange[];
}

/** A journey so far, and its result. */
export interface SimulatedJourney {
  steps: SimulatedStep[];
}

/** The query of a journey. */
export const journeyQuery = z.object({ platform: platformField });
