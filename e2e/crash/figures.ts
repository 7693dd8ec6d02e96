import { median } from "@/lib/testing/numbers";
import type { Finding, Kind } from "./checker";
import type { Fault, FaultTarget } from "./faults";
import type { RedeemAttempt } from "./history";

/** The recoveries from one kind of fault in milliseconds, sorted. */
export function recoveries(faults: Fault[], target: FaultTarget): number[] {
  return faults
    .filter((fault) => fault.target === target)
    .map(({ recovery }) => Math.round(recovery))
    .sort((a, b) => a - b);
}

export function longest(attempts: RedeemAttempt[]): number {
  return Math.round(Math.max(0, ...attempts.map(({ invoked, returned }) => returned - invoked)));
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** A run and its findings in one line. */
export function figures(
  attempts: RedeemAttempt[],
  faults: Fault[],
  findings: Finding[],
  seed: number,
): string {
  const count = (test: (attempt: RedeemAttempt) => boolean) => attempts.filter(test).length;
  const of = (kind: Kind) => findings.filter((finding) => finding.kind === kind).length;
  const recovered = (["server", "database", "web"] as const).map((target) => {
    const all = recoveries(faults, target);
    return `${all.length} ${target} kills (response after ${seconds(all[0] ?? 0)}, median ${seconds(all.length > 0 ? median(all) : 0)}, at most ${seconds(all.at(-1) ?? 0)})`;
  });
  const served = new Set(attempts.filter(({ code }) => code).map(({ referee }) => referee)).size;
  return [
    `${attempts.length} requests, ${served} codes assigned, ${count(({ status }) => status === 0)} without a response`,
    `${count(({ outcome, status }) => outcome === "unknown" && status > 0)} told to wait`,
    `${count(({ outcome }) => outcome === "empty")} with none left`,
    ...recovered,
    `longest request ${seconds(longest(attempts))}`,
    `double ${of("double")}, lost ${of("lost")}, stranded ${of("stranded")}, false empty ${of("false_empty")}`,
    `seed ${seed}`,
  ].join("; ");
}
