import { parseInput } from "@/lib/platform/parse-input";
import { importCodes } from "@/lib/program/codes/import";
import { importQuery } from "@/lib/program/codes/open-file";
import { appUpload } from "@/lib/web/session/upload";

export const POST = appUpload(async (ctx, { query, source, signal, respond }) => {
  const input = parseInput(importQuery, query);
  return respond((onProgress) =>
    importCodes(ctx, { ...input, kind: "one_time", source, signal, onProgress }),
  );
});
