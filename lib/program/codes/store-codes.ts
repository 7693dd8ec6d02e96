import pLimit from "p-limit";
import { uuidv7 } from "uuidv7";
import type { Platform } from "@/lib/contract/fields";
import { sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { fail } from "@/lib/platform/errors";
import { singleton } from "@/lib/platform/singleton";
import type { ImportCounter, ImportCounts } from "./import-counter";
import type { ParsedRow } from "./parse";

/** The batch that receives the codes. */
interface ImportTarget {
  appId: string;
  batchId: string;
  platform: Platform;
}

/** A code with its line in the file. `use` counts the uses of a custom code. */
interface NewCode {
  code: string;
  line: number;
  use?: number;
}

const IMPORT_CODES = sqlFunction("import_codes", {
  app: "uuid",
  batch: "uuid",
  platform: "text",
  ids: "uuid[]",
  codes: "text[]",
  uses: "int?[]",
}).returns<{
  alive: boolean;
  inserted: number;
  clashes: { id: string; holder: "file" | "database" | "unsettled" }[];
}>();

/** Measured in docs/decisions/code-import.md: two chunks of 5,000 at once are as fast as one COPY of everything. */
export const IMPORT_CHUNK = 5_000;
const CONCURRENCY = 2;

/**
 * The chunks of all imports share half of the process's eight database connections; the API keeps the rest.
 * Between two chunks an import holds none, so one whose sender is slow holds back no other.
 */
const chunkLimit = () => singleton("codes.chunks", () => pLimit(2 * CONCURRENCY));

/**
 * Stores one chunk in one round trip; known codes are counted and skipped. Throws CONFLICT if the batch was
 * abandoned, or if an unfinished import holds a code that may still become free.
 */
export async function storeChunk(
  db: Db,
  target: ImportTarget,
  chunk: NewCode[],
  counter: ImportCounter,
): Promise<void> {
  const ids = chunk.map(() => uuidv7());
  const { alive, inserted, clashes } = await chunkLimit()(() =>
    db.call(IMPORT_CODES, {
      app: target.appId,
      batch: target.batchId,
      platform: target.platform,
      ids,
      codes: chunk.map(({ code }) => code),
      uses: chunk.map(({ use }) => use ?? null),
    }),
  );
  if (!alive)
    fail("CONFLICT", "The import sent nothing for two minutes and was abandoned. Import the file again");
  counter.imported += inserted;
  if (clashes.length === 0) return;
  const lines = new Map(ids.map((id, index) => [id, chunk[index]?.line ?? 0]));
  for (const { id, holder } of clashes) {
    if (holder === "unsettled") {
      fail("CONFLICT", "Another unfinished import contains some of these codes. Try again in two minutes");
    }
    counter.skip(lines.get(id) ?? 0, holder === "file" ? "repeated_in_file" : "already_stored");
  }
}

async function* chunksOf(
  rows: AsyncIterable<ParsedRow[]>,
  counter: ImportCounter,
): AsyncGenerator<NewCode[]> {
  let chunk: NewCode[] = [];
  for await (const group of rows) {
    for (const row of group) {
      counter.read += 1;
      if ("fault" in row) counter.skip(row.line, row.fault);
      else if (chunk.push(row) === IMPORT_CHUNK) {
        yield chunk;
        chunk = [];
      }
    }
  }
  if (chunk.length > 0) yield chunk;
}

/**
 * Streams rows into a batch. When it returns or throws, none of its work is still running. Throws the errors of the
 * source, of the signal and of {@link storeChunk}.
 */
export async function storeRows(
  db: Db,
  target: ImportTarget,
  rows: AsyncIterable<ParsedRow[]>,
  counter: ImportCounter,
  onProgress: ((counts: ImportCounts) => void) | undefined,
): Promise<void> {
  const limit = pLimit(CONCURRENCY);
  const chunks = chunksOf(rows, counter);
  const work = async () => {
    for await (const chunk of chunks) {
      await limit(() => storeChunk(db, target, chunk, counter));
      onProgress?.(counter.counts());
    }
  };
  // One worker more than slots: it reads the next chunk while the others store.
  const workers = Array.from({ length: CONCURRENCY + 1 }, work);
  try {
    await Promise.all(workers);
  } finally {
    await Promise.allSettled(workers);
  }
}
