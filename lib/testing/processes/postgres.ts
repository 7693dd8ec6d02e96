import { startPostgres } from "@/lib/platform/embedded-postgres/start";
import { supervisePostgres } from "@/lib/platform/embedded-postgres/supervise";

/** Runs as a separate process in tests: locks the data folder in its argument until it is killed. */
const [, , mode = "start", dataDir = ""] = process.argv;

try {
  const server = await (mode === "keep" ? supervisePostgres : startPostgres)({ dataDir, durable: false });
  process.stdout.write(`${JSON.stringify({ url: server.url, port: server.port })}\n`);
} catch (error) {
  process.stderr.write(`${error}\n`);
  process.exitCode = 1;
}
