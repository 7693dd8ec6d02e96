import { log } from "@/lib/log";

interface Job {
  everyMs: number;
  round: () => Promise<void>;
  /** What the log says when a round has failed. */
  failure: string;
}

/**
 * Runs a job again and again, at moments of its own so that processes started together do not meet. The next round is
 * set when one has ended, so slow ones never pile up, and a failure does not end them. Returns what stops it.
 */
export function repeat({ everyMs, round, failure }: Job): () => void {
  let timer: NodeJS.Timeout;
  let stopped = false;
  const plan = () => {
    timer = setTimeout(run, everyMs * (0.75 + Math.random() / 2)).unref();
  };
  const run = async () => {
    try {
      await round();
    } catch (error) {
      log().warn({ err: error }, failure);
    }
    if (!stopped) plan();
  };
  plan();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
