import type { Context } from "@/lib/context";
import type { CodeStatus } from "@/lib/contract/batch";
import { maskCode } from "@/lib/contract/code-file";
import { isUuid } from "@/lib/contract/uuid";
import { type Page, type Paged, pageSize } from "@/lib/page";
import type { Batch } from "./get-batch";
import { scanBatch } from "./scan-batch";

/** A code as lists show it. */
interface CodeRow {
  id: string;
  masked: string;
  useNumber: number;
  status: CodeStatus;
  assignedAt: Date | null;
  redeemedByUid: string | null;
}

/** A page of a batch's codes in the order of the file, only ever masked. Fewer rows than asked and a cursor: keep looking. */
export async function listCodes(
  ctx: Context,
  batch: Batch,
  { status, ...page }: Page & { status?: CodeStatus | undefined },
): Promise<Paged<CodeRow>> {
  const after = page.cursor && isUuid(page.cursor) ? page.cursor : batch.id;
  const limit = pageSize(page);
  const { rows, next } = await scanBatch(ctx, batch, { after, limit, ...(status && { status }) });
  const data = rows.map(({ id, code, useNumber, status: state, assignedAt, redeemedByUid }) => {
    return { id, masked: maskCode(code), useNumber, status: state, assignedAt, redeemedByUid };
  });
  return { data, nextCursor: next };
}
