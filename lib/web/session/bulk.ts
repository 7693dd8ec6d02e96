import type { BulkOutcome } from "@/lib/contract/bulk";
import { AppError } from "@/lib/platform/errors";

/**
 * Applies a verb to rows one after the other, each in its own transaction with its own audit entry. A refused row does not stop the
 * others; its reason is reported.
 */
export async function applyToEach(
  ids: readonly string[],
  verb: (id: string) => Promise<unknown>,
): Promise<BulkOutcome> {
  const failed: BulkOutcome["failed"] = [];
  for (const id of ids) {
    try {
      await verb(id);
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error;
      failed.push({ id, message: error.message });
    }
  }
  return { done: ids.length - failed.length, failed };
}
