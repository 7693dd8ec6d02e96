import { parseInput } from "@/lib/platform/parse-input";
import { listRefusedRows, REFUSED_COLUMNS } from "@/lib/program/codes/check-file";
import { fileQuery } from "@/lib/program/codes/open-file";
import { csvResponse } from "@/lib/web/http/csv";
import { appUpload } from "@/lib/web/session/upload";

export const POST = appUpload(async (ctx, { query, source, signal }) => {
  const input = parseInput(fileQuery, query);
  const rows = await listRefusedRows(ctx, { ...input, kind: "one_time", source, signal });
  return csvResponse("refused-rows.csv", REFUSED_COLUMNS, rows);
});
