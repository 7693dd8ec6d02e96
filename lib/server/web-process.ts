import cluster from "node:cluster";
import { log } from "@/lib/log";
import { type ServeOptions, serve } from "@/lib/server/serve";
import { DRAIN, type Failure } from "@/lib/server/supervise";

/**
 * Lives as one of the supervisor's processes: serves until told to drain, ends with the supervisor. Reports to it and
 * exits with 1 where the port cannot be opened. `background` starts what runs beside the requests and returns its end.
 */
export async function runWebProcess(
  options: ServeOptions,
  background?: () => () => Promise<void>,
): Promise<void> {
  // Without a supervisor there is no database to speak to and no one to end this process.
  process.on("disconnect", () => process.exit(0));
  // The supervisor may die while a message to it is on its way.
  cluster.worker?.on("error", () => process.exit(0));
  // Ctrl-C reaches every process of the terminal; the supervisor says when to go.
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
    log().error({ err: error }, "A web process cannot start");
    process.send?.({ failure } satisfies Failure, undefined, {}, () => process.exit(1));
  }
}
