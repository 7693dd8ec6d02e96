import { EXPORT_COLUMNS, exportBatch } from "@/lib/program/codes/export";
import { csvResponse } from "@/lib/web/http/csv";
import { appDownload } from "@/lib/web/session/download";

export const GET = appDownload("owner", async (ctx, _query, { batchId = "" }) => {
  const { name, rows } = await exportBatch(ctx, batchId);
  return csvResponse(name, EXPORT_COLUMNS, rows);
});
