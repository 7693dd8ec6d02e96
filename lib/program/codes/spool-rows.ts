import { open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { uuidv7 } from "uuidv7";

/**
 * Reads all rows into a temporary file before the first row is returned: a response that began during the upload would
 * wait for a client that reads only after it has written. The file is deleted after the last row.
 */
export async function spoolRows<Row extends object>(
  groups: AsyncIterable<Row[]>,
): Promise<AsyncGenerator<Row>> {
  const path = join(tmpdir(), `metacode-${uuidv7()}.ndjson`);
  const file = await open(path, "wx+", 0o600);
  const end = async () => {
    await file.close().catch(() => undefined);
    await rm(path, { force: true });
  };
  try {
    for await (const rows of groups) {
      if (rows.length > 0) await file.appendFile(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    }
  } catch (error) {
    await end();
    throw error;
  }
  async function* rows(): AsyncGenerator<Row> {
    try {
      for await (const line of file.readLines({ start: 0, autoClose: false })) yield JSON.parse(line) as Row;
    } finally {
      await end();
    }
  }
  return rows();
}
