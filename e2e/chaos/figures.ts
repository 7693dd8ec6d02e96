import type { Finding, Kind } from "./checker";
import type { Fault, Target } from "./faults";
import type { Attempt } from "./history";

/** Every recovery from one kind of fault, sorted, in milliseconds. */
export function recoveries(faults: Fault[], target: Target): number[] {
  return faults
    .filter((fault) => fault.target === target)
    .map(({ recovery }) => Math.round(recovery))
    .sort((one, other) => one - other);
}

export function median(sorted: number[]): number {
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

export function longest(attempts: Attempt[]): number {
  return Math.round(Math.max(0, ...attempts.map(({ invoked, returned }) => returned - invoked)));
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

/** One line that says what a run was and what it found. */
export function figures(attempts: Attempt[], faults: Fault[], findings: Finding[], seed: number): string {
  const count = (test: (attempt: Attempt) => boolean) => attempts.filter(test).length;
  const of = (kind: Kind) => findings.filter((finding) => finding.kind === kind).length;
  const recovered = (["server", "database", "web"] as const).map((target) => {
    const all = recoveries(faults, target);
    return `${all.length} ${target} kills (answer after ${seconds(all[0] ?? 0)}, median ${seconds(median(all))}, at most ${seconds(all.at(-1) ?? 0)})`;
  });
  const served = new Set(attempts.filter(({ code }) => code).map(({ referee }) => referee)).size;
  return [
    `${attempts.length} requests, ${served} codes given, ${count(({ status }) => status === 0)} without an answer`,
    `${count(({ verdict, status }) => verdict === "unknown" && status > 0)} told to wait`,
    `${count(({ verdict }) => verdict === "empty")} told none left`,
    ...recovered,
    `longest request ${seconds(longest(attempts))}`,
    `double ${of("double")}, lost ${of("lost")}, stranded ${of("stranded")}, false empty ${of("false_empty")}`,
    `seed ${seed}`,
  ].join("; ");
}
