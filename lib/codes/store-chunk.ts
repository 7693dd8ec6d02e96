import { uuidv7 } from "uuidv7";
import type { Platform } from "@/lib/contract/fields";
import type { Db } from "@/lib/db/client";
import { fail } from "@/lib/errors";
import type { Tally } from "./tally";

/** The batch that codes go to. */
export interface Target {
  appId: string;
  batchId: string;
  platform: Platform;
}

/** A code with its line in the file, and which of its uses it is where it has several. */
export interface NewCode {
  code: string;
  line: number;
  use?: number;
}

interface Answer {
  alive: boolean;
  inserted: number;
  clashes: { id: string; holder: "file" | "database" | "unsettled" }[];
}

const UNSETTLED =
  "Some of these codes belong to an import that is under way or was interrupted: try again in two minutes";

/**
 * Stores one chunk in one round trip; a code that is known is counted and skipped. Throws CONFLICT where the batch was
 * given up meanwhile, or where another unfinished import holds a code and may yet give it up.
 */
export async function storeChunk(db: Db, target: Target, chunk: NewCode[], tally: Tally): Promise<void> {
  const ids = chunk.map(() => uuidv7());
  const uses = chunk[0]?.use === undefined ? null : chunk.map(({ use }) => use).join(",");
  const codes = chunk.map(({ code }) => code).join(",");
  const { appId, batchId, platform } = target;
  const answer = await db.call<Answer>("import_codes", [
    appId,
    batchId,
    platform,
    ids.join(","),
    codes,
    uses,
  ]);
  if (!answer.alive) fail("CONFLICT", "The import took too long between two signs of life and was given up");
  tally.imported += answer.inserted;
  if (answer.clashes.length === 0) return;
  const lines = new Map(ids.map((id, index) => [id, chunk[index]?.line ?? 0]));
  for (const { id, holder } of answer.clashes) {
    if (holder === "unsettled") fail("CONFLICT", UNSETTLED);
    tally.skip(lines.get(id) ?? 0, holder === "file" ? "repeated_in_file" : "already_stored");
  }
}
