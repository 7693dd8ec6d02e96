import { resolve } from "node:path";
import { commandDatabase, stopWith } from "@/lib/cli/database";
import { formatCount } from "@/lib/contract/format";
import { commandLine } from "@/lib/platform/env";
import { writeBackup } from "@/lib/platform/transfer/folder";
import { openSnapshot } from "@/lib/platform/transfer/snapshot";

/** Writes a consistent copy of the database into a new folder, while the service goes on. */
async function main(): Promise<void> {
  const [, , folder, ...rest] = process.argv;
  if (!folder || rest.length > 0) throw new Error(`Usage: ${commandLine("backup", "<new folder>")}`);
  const running = await commandDatabase();
  try {
    const source = await openSnapshot({ url: running.url, whileRunning: true });
    const rows = await writeBackup(source, resolve(folder), (line) => console.log(line)).finally(
      source.close,
    );
    console.log(
      `${formatCount(rows, "row")} in ${folder}. Keep AUTH_SECRET elsewhere (unset, it is in DATA_DIR/auth-secret).`,
    );
  } finally {
    await running.stop();
  }
}

await main().catch(stopWith);
