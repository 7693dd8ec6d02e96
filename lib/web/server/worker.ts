import cluster from "node:cluster";
import { log } from "@/lib/platform/log";
import { ALIVE, DRAIN, type StartFailure } from "@/lib/web/server/supervise";

/**
 * Runs one of the supervisor's processes, and ends with the supervisor. `start` opens what the process serves and returns
 * the function that lets its requests finish. Exits with 1 when `start` fails. Returns the function that ends the process.
 */
export async function runWorker(start: () => Promise<() => Promise<void>>): Promise<() => void> {
  // Without a supervisor there is no database, and nothing would end this process.
  process.on("disconnect", () => process.exit(0));
  // The supervisor may die while a message to it is in flight.
  cluster.worker?.on("error", () => process.exit(0));
  // Ctrl-C reaches every process of the terminal; the supervisor decides when to exit.
  process.on("SIGINT", () => undefined);
  // Until it has started, nothing has to finish.
  let finish = async () => {};
  let ended = false;
  const end = () => {
    if (!ended) void finish().finally(() => process.exit(0));
    ended = true;
  };
  process.on("message", (message) => {
    if (message === DRAIN) end();
    if (message === ALIVE) process.send?.(ALIVE, undefined, {}, () => undefined);
  });
  try {
    finish = await start();
    return end;
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    log().error({ err: error }, "a process of the service cannot start");
    process.send?.({ failure } satisfies StartFailure, undefined, {}, () => process.exit(1));
    return () => undefined;
  }
}
