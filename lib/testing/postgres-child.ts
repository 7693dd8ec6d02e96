import { keepPostgres } from "@/lib/postgres/keep";
import { startPostgres } from "@/lib/postgres/start";

/** Run as a process of its own by tests: holds the data folder of its argument until it is killed. */
const [, , mode = "start", dataDir = ""] = process.argv;

try {
  const server = await (mode === "keep" ? keepPostgres : startPostgres)({ dataDir, durable: false });
  process.stdout.write(`${JSON.stringify({ url: server.url, port: server.port })}\n`);
} catch (error) {
  process.stderr.write(`${error}\n`);
  process.exitCode = 1;
}
