import { cpuOf } from "@/bench/cpu";
import type { LoadSize, Subject } from "@/bench/subjects";
import { median } from "@/lib/testing/numbers";

/** One run, or the medians of several. CPU in microseconds per request. */
export interface Measure {
  perSecond: number;
  p50: number;
  p99: number;
  node: number;
  postgres: number;
  failed: number;
}

/** Puts load on a subject once and measures rate, latency and CPU. */
export async function measure(subject: Subject, load: LoadSize): Promise<Measure> {
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

/** The medians of several runs. */
export function mediansOf(runs: Measure[]): Measure {
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

/**
 * Runs the subjects alternately, so that other load on the machine affects all of them alike. Throws when a request
 * failed: a refusal costs less than a response, so the rate would flatter its subject.
 */
export async function interleave(
  subjects: Subject[],
  load: LoadSize,
  rounds: number,
): Promise<Map<string, Measure[]>> {
  const runs = new Map<string, Measure[]>(subjects.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) {
      const run = await measure(subject, load);
      if (run.failed > 0) throw new Error(`${run.failed} requests of ${subject.name} failed`);
      runs.get(subject.name)?.push(run);
    }
  }
  return runs;
}

/** The median over the rounds of one subject's rate divided by another's in the same round. */
export function ratio(runs: Map<string, Measure[]>, subject: string, other: string): number {
  const others = runs.get(other) ?? [];
  return median(
    (runs.get(subject) ?? []).map(({ perSecond }, round) => perSecond / (others[round]?.perSecond ?? 0)),
  );
}
