import { importCodes } from "@/lib/codes/import";
import { storeQuery } from "@/lib/codes/upload-query";
import { parseInput } from "@/lib/parse-input";
import { appUpload } from "@/lib/session/upload";

export const POST = appUpload("member", async (ctx, { query, source, signal, report }) => {
  const input = parseInput(storeQuery, query);
  return report((onProgress) => importCodes(ctx, { ...input, kind: "one_time", source, signal, onProgress }));
});
