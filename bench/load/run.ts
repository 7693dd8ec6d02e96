import { composer } from "@/bench/load/compose";
import { HttpConnection } from "@/bench/load/connection";
import { type LoadJob, type LoadResult, sumUp } from "@/bench/load/job";

const MAX_REQUESTS = 4_000_000;

/** Runs a job as a closed loop: every connection sends its next request after the response to the last. */
export async function runJob(job: LoadJob): Promise<LoadResult> {
  const compose = composer(job.template, job.port, job.slugs);
  let lost: (error: Error) => void = () => undefined;
  const failure = new Promise<never>((_resolve, reject) => {
    lost = reject;
  });
  failure.catch(() => undefined);
  const open = () => HttpConnection.open(job.port, (error) => lost(error));
  const connections = await Promise.all(Array.from({ length: job.connections }, open));

  const latencies: number[] = [];
  const failed: Record<string, number> = {};
  const last = Math.min(job.until, job.from + (job.requests ?? MAX_REQUESTS));
  let next = job.from;
  const started = performance.now();
  const deadline = started + (job.seconds ?? 600) * 1000;
  const loop = (connection: HttpConnection) =>
    new Promise<void>((resolve) => {
      const step = () => {
        const sent = performance.now();
        if (sent >= deadline || next >= last) return resolve();
        connection.send(compose(next++), (status) => {
          latencies.push(performance.now() - sent);
          if (status !== 200) failed[status] = (failed[status] ?? 0) + 1;
          step();
        });
      };
      step();
    });
  try {
    await Promise.race([Promise.all(connections.map(loop)), failure]);
  } finally {
    for (const connection of connections) connection.close();
  }
  return sumUp(Float64Array.from(latencies), (performance.now() - started) / 1000, failed);
}
