import type { Db } from "@/lib/db/client";
import { Lanes } from "./lanes";
import type { ParsedRow } from "./parse";
import { type NewCode, storeChunk, type Target } from "./store-chunk";
import type { ImportCounts, Tally } from "./tally";

/** Measured in docs/decisions/code-import.md: two chunks of 5,000 at once are as fast as one COPY of everything. */
const CHUNK = 5_000;
const LANES = 2;

/**
 * Streams rows into a batch. However it ends, nothing of it still runs afterwards. Throws what the source, the
 * signal or {@link storeChunk} throws.
 */
export async function storeRows(
  db: Db,
  target: Target,
  rows: AsyncIterable<ParsedRow[]>,
  tally: Tally,
  onProgress: ((counts: ImportCounts) => void) | undefined,
): Promise<void> {
  const lanes = new Lanes(LANES);
  let chunk: NewCode[] = [];
  const send = async () => {
    const full = chunk;
    chunk = [];
    await lanes.add(async () => {
      await storeChunk(db, target, full, tally);
      onProgress?.(tally.counts());
    });
  };
  try {
    for await (const group of rows) {
      for (const row of group) {
        tally.read += 1;
        if ("fault" in row) tally.skip(row.line, row.fault);
        else if (chunk.push(row) === CHUNK) await send();
      }
    }
    if (chunk.length > 0) await send();
    await lanes.finish();
  } finally {
    await lanes.settle();
  }
}
