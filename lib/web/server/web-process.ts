import cluster from "node:cluster";
import { log } from "@/lib/platform/log";
import { type ServeOptions, serve } from "@/lib/web/server/serve";
import { DRAIN, type StartFailure } from "@/lib/web/server/supervise";

/**
 * Runs one of the supervisor's processes: serves until it is told to drain, and ends with the supervisor. Exits with 1
 * when the port cannot be opened. `background` starts the work beside the requests and returns the function that ends it.
 */
export async function runWebProcess(
  options: ServeOptions,
  background?: () => () => Promise<void>,
): Promise<void> {
  // Without a supervisor there is no database, and nothing would end this process.
  process.on("disconnect", () => process.exit(0));
  // The supervisor may die while a message to it is in flight.
  cluster.worker?.on("error", () => process.exit(0));
  // Ctrl-C reaches every process of the terminal; the supervisor decides when to exit.
  process.on("SIGINT", () => undefined);
  try {
    const { drain } = await serve(options);
    const finish = background?.();
    const end = () =>
      void drain()
        .then(finish)
        .finally(() => process.exit(0));
    process.on("message", (message) => message === DRAIN && end());
    process.on("SIGTERM", end);
  } catch (error) {
    const failure = error instanceof Error ? error.message : String(error);
    log().error({ err: error }, "a web process cannot start");
    process.send?.({ failure } satisfies StartFailure, undefined, {}, () => process.exit(1));
  }
}
