import type { BulkOutcome } from "@/lib/contract/bulk";
import { log } from "@/lib/platform/log";
import { toAppError } from "@/lib/web/http/answer";

const NOT_TRIED = "Not tried, because of the error on our side before it";

/**
 * Applies a verb to rows one after the other, each in its own transaction with its own audit entry. A refused row does not stop the
 * others; its reason is reported. An error on our side ends the call, and is thrown unless rows have changed already.
 */
export async function applyToEach(
  ids: readonly string[],
  verb: (id: string) => Promise<unknown>,
): Promise<BulkOutcome> {
  const failed: BulkOutcome["failed"] = [];
  for (const [at, id] of ids.entries()) {
    try {
      await verb(id);
    } catch (thrown) {
      const error = toAppError(thrown);
      const done = at - failed.length;
      failed.push({ id, message: error.message });
      if (error.status < 500) continue;
      if (done === 0) throw thrown;
      log().error({ err: error.cause ?? error }, "a bulk action ended early");
      return {
        done,
        failed: [...failed, ...ids.slice(at + 1).map((rest) => ({ id: rest, message: NOT_TRIED }))],
      };
    }
  }
  return { done: ids.length - failed.length, failed };
}
