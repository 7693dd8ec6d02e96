import { parseArgs } from "node:util";
import { commandDatabase, stopWith } from "@/lib/cli/database";
import { distribute } from "@/lib/platform/db/distribute";
import { migrate } from "@/lib/platform/db/migrate";
import { directUrl, parseEnv } from "@/lib/platform/env";

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Distributes the database of `DATABASE_URL` over its Citus cluster. An interrupted run continues where it stopped. */
async function main(): Promise<void> {
  parseArgs();
  const { url, stop } = await commandDatabase();
  try {
    await migrate(url, { isCommand: true });
    await distribute(directUrl(parseEnv(process.env), url), say);
    say("The database is distributed.");
  } finally {
    await stop();
  }
}

await main().catch(stopWith);
