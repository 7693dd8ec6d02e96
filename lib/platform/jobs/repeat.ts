import { log } from "@/lib/platform/log";

interface Job {
  everyMs: number;
  /** Whether the first round runs now. */
  atOnce?: boolean;
  round: () => Promise<void>;
  /** The log message of a failed round. */
  failure: string;
}

/**
 * Repeats a round at random intervals, so that processes started together do not collide. The next round is scheduled
 * when one has ended, so slow rounds never pile up, and a failure does not end them. Returns the function that stops it.
 */
export function repeat({ everyMs, atOnce = false, round, failure }: Job): () => void {
  let timer: NodeJS.Timeout | undefined;
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
  if (atOnce) void run();
  else plan();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
