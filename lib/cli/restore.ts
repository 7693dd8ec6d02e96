import { resolve } from "node:path";
import { commandDatabase, stopWith } from "@/lib/cli/database";
import { formatCount } from "@/lib/contract/format";
import { commandLine } from "@/lib/platform/env";
import { fillDatabase } from "@/lib/platform/transfer/fill";
import { openBackup } from "@/lib/platform/transfer/folder";

/** Fills the empty database of `DATABASE_URL`, or of a new `DATA_DIR`, with a backup. */
async function main(): Promise<void> {
  const [, , folder, ...rest] = process.argv;
  if (!folder || rest.length > 0) throw new Error(`Usage: ${commandLine("restore", "<folder of a backup>")}`);
  const source = await openBackup(resolve(folder));
  const running = await commandDatabase(true);
  try {
    const { rows } = await fillDatabase(source, running.url, (line) => console.log(line));
    console.log(
      `${formatCount(rows, "row")}, equal to the backup. Codes assigned after it are free again. Before you start, with the same settings:`,
    );
    console.log(commandLine("void-codes", `--since ${source.takenAt}`));
    console.log(
      "Once the service runs, erase again every user who was erased after the backup, which still contains them. API keys that were revoked and members who were removed after it have access again: revoke and remove them, too.",
    );
  } finally {
    await running.stop();
  }
}

await main().catch(stopWith);
