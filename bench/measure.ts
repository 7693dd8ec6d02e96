import { cpuOf } from "@/bench/cpu";
import type { Load, Subject } from "@/bench/subjects";

/** One run, or the medians of several. CPU in microseconds a request. */
export interface Measure {
  perSecond: number;
  p50: number;
  p99: number;
  node: number;
  postgres: number;
  failed: number;
}

/** The value in the middle. */
export function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Loads a subject once, and what it took of the processor. */
export async function measure(subject: Subject, load: Load): Promise<Measure> {
  const before = cpuOf(subject.pids);
  const { requests, seconds, p50, p99, failed } = await subject.run(load);
  const after = cpuOf(subject.pids);
  return {
    perSecond: requests / seconds,
    p50,
    p99,
    node: (after.node - before.node) / requests,
    postgres: (after.postgres - before.postgres) / requests,
    failed: Object.values(failed).reduce((sum, count) => sum + count, 0),
  };
}

/** The median of each number over several runs. */
export function medians(runs: Measure[]): Measure {
  const of = (name: keyof Measure) => median(runs.map((run) => run[name]));
  return {
    perSecond: of("perSecond"),
    p50: of("p50"),
    p99: of("p99"),
    node: of("node"),
    postgres: of("postgres"),
    failed: runs.reduce((sum, run) => sum + run.failed, 0),
  };
}

/** Runs of every subject, in turn, so that whatever else the machine does hits all of them alike. */
export async function interleave(
  subjects: Subject[],
  load: Load,
  rounds: number,
): Promise<Map<string, Measure[]>> {
  const runs = new Map<string, Measure[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) runs.get(subject.name)?.push(await measure(subject, load));
  }
  return runs;
}

/** Median over the rounds of one subject's rate divided by another's in the same round. */
export function ratio(runs: Map<string, Measure[]>, one: string, other: string): number {
  const others = runs.get(other) ?? [];
  return median(
    (runs.get(one) ?? []).map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? 0)),
  );
}
