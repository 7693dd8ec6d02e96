import { type ServeOptions, serve } from "@/lib/web/server/serve";
import { runWorker } from "@/lib/web/server/worker";

/**
 * Runs a web process: it answers the API, landing pages and static files itself, and forwards the rest to the pages process.
 * `background` starts the work beside the requests and returns the function that ends it: its work under way has as long
 * as the requests, which are `drained` meanwhile.
 */
export async function runWebProcess(
  options: ServeOptions,
  background?: () => (drained: Promise<void>) => Promise<void>,
): Promise<void> {
  const end = await runWorker(async () => {
    const { drain } = await serve(options);
    const finish = background?.();
    return async () => {
      const drained = drain();
      await finish?.(drained);
      await drained;
    };
  });
  process.on("SIGTERM", end);
}
