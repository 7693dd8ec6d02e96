import { checkCodes } from "@/lib/codes/check-file";
import { fileQuery } from "@/lib/codes/upload-query";
import { parseInput } from "@/lib/parse-input";
import { appUpload } from "@/lib/session/upload";

export const POST = appUpload("member", async (ctx, { query, source, signal, report }) => {
  const input = parseInput(fileQuery, query);
  return report((onProgress) => checkCodes(ctx, { ...input, kind: "one_time", source, signal, onProgress }));
});
