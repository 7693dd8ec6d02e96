import { singleton } from "@/lib/platform/singleton";

/** The counters of a process, each with its label. An empty label stands for none. */
export const COUNTERS = {
  statements: { label: "function", help: "Calls of an SQL function by this process" },
  statement_seconds: { label: "function", help: "Seconds that this process waited for an SQL function" },
  statement_failures: { label: "function", help: "Calls of an SQL function that failed" },
  rounds: { label: "round", help: "Rounds that this process ran" },
  round_failures: { label: "round", help: "Rounds of this process that failed and are tried again" },
  round_seconds: { label: "round", help: "Seconds that the rounds of this process took" },
  work_given_up: { label: "", help: "Work of a queue or round that did not end and was given up" },
  webhook_attempts: { label: "outcome", help: "Attempts of this process to deliver a webhook" },
  email_attempts: { label: "outcome", help: "Attempts of this process to send an email" },
  log_lines_dropped: { label: "", help: "Lines of the log that were dropped, because none could be written" },
  limiter_fallbacks: {
    label: "",
    help: "Limit checks that this process decided alone, because the store was away",
  },
} as const;

export type CounterName = keyof typeof COUNTERS;

type Values = Map<string, number>;

/** A map instead of a metrics library, because a redeem counts its statement: 0.1 us instead of 1. */
const values = () =>
  singleton(
    "counters",
    () =>
      Object.fromEntries(Object.keys(COUNTERS).map((name) => [name, new Map()])) as Record<
        CounterName,
        Values
      >,
  );

/** Adds to a counter of this process. `label` is one of a small, fixed set of values. */
export function increase(name: CounterName, label = "", by = 1): void {
  const counter = values()[name];
  counter.set(label, (counter.get(label) ?? 0) + by);
}

/** The counts since the start of the process, by label. */
export function readCounter(name: CounterName): ReadonlyMap<string, number> {
  return values()[name];
}
