import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { drainServer } from "@/lib/server/drain";
import { table, unknown } from "@/lib/server/routes";
import { serve } from "@/lib/server/serve";
import { DRAIN, type Failure } from "@/lib/server/supervise";

/** One web process of the service; started by the supervisor only. */
async function main(): Promise<void> {
  const { HOST, PORT, TRUSTED_PROXIES } = env();
  // Without a supervisor there is no database to speak to and no one to end this process.
  process.on("disconnect", () => process.exit(0));
  const { server, beginDraining } = await serve({
    table,
    unknown,
    host: HOST,
    port: PORT,
    hops: TRUSTED_PROXIES,
    dev: false,
  });
  const drain = async () => {
    beginDraining();
    await drainServer(server);
    process.exit(0);
  };
  process.on("message", (message) => message === DRAIN && void drain());
  process.on("SIGTERM", drain);
  // Ctrl-C reaches every process of the terminal; the supervisor says when to go.
  process.on("SIGINT", () => undefined);
}

main().catch((error: Error) => {
  log().error({ err: error }, "A web process cannot start");
  process.send?.({ failure: error.message } satisfies Failure, undefined, {}, () => process.exit(1));
});
