import type { Context } from "@/lib/context";
import { REFUSALS } from "@/lib/contract/code-file";
import { judgeRows } from "./judge";
import { type FileInput, openFile } from "./open-file";
import { spool } from "./spool";

/** Columns of the file of refused rows. */
export const REFUSED_COLUMNS = ["line", "text", "reason", "where", "advice"] as const;

type RefusedCells = Record<(typeof REFUSED_COLUMNS)[number], string | number | undefined>;

/**
 * Every row of a file that an import would refuse, as it stood there: the file is the asker's own. Resolves when all of the
 * file has been read. Throws what {@link openFile} throws.
 */
export async function refusedRows(ctx: Context, input: FileInput): Promise<AsyncGenerator<RefusedCells>> {
  const { pool, rows } = await openFile(ctx, input);
  const judged = judgeRows(ctx, pool.platform, rows);
  async function* refused(): AsyncGenerator<RefusedCells[]> {
    for await (const group of judged) {
      yield group.flatMap(({ line, text, refusal, where }) => {
        if (!refusal) return [];
        const { name, advice } = REFUSALS[refusal];
        return [{ line, text, reason: name, where, advice }];
      });
    }
  }
  return spool(refused());
}
