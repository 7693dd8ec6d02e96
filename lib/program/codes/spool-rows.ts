import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { uuidv7 } from "uuidv7";
import { env } from "@/lib/platform/env";
import { fail } from "@/lib/platform/errors";

/** Bytes of a list, some five million rows: the disk may be the database's, which stops when it is full. */
const MAX_BYTES = 512 * 1024 ** 2;

const TOO_MANY = "This file has too many refused rows to list. The check shows examples of each reason";

/**
 * Reads all rows into a file before it returns the first one: a response that began during the upload would wait for a
 * client that reads only after it has written. The file is in `DATA_DIR`, because the temporary folder may be memory,
 * and has no name, so that even a killed process leaves no codes. Throws VALIDATION_ERROR for more than `max` bytes.
 */
export async function spoolRows<Row extends object>(
  groups: AsyncIterable<Row[]>,
  max = MAX_BYTES,
): Promise<AsyncGenerator<Row>> {
  const folder = env().DATA_DIR;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `refused-${uuidv7()}.ndjson`);
  const file = await open(path, "wx+", 0o600);
  try {
    await rm(path);
    let bytes = 0;
    for await (const rows of groups) {
      const lines = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
      bytes += lines.length;
      if (bytes > max) fail("VALIDATION_ERROR", TOO_MANY);
      if (lines.length > 0) await file.appendFile(lines);
    }
  } catch (error) {
    await file.close();
    throw error;
  }
  async function* rows(): AsyncGenerator<Row> {
    try {
      for await (const line of file.readLines({ start: 0, autoClose: false })) yield JSON.parse(line) as Row;
    } finally {
      await file.close();
    }
  }
  return rows();
}
