import { REFUSED_COLUMNS, refusedRows } from "@/lib/codes/refused-rows";
import { fileQuery } from "@/lib/codes/upload-query";
import { csvResponse } from "@/lib/http/csv";
import { parseInput } from "@/lib/parse-input";
import { appUpload } from "@/lib/session/upload";

export const POST = appUpload("member", async (ctx, { query, source, signal }) => {
  const input = parseInput(fileQuery, query);
  const rows = await refusedRows(ctx, { ...input, kind: "one_time", source, signal });
  return csvResponse("refused-rows.csv", REFUSED_COLUMNS, rows);
});
