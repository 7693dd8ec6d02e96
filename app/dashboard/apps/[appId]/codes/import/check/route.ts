import { parseInput } from "@/lib/platform/parse-input";
import { checkCodeFile } from "@/lib/program/codes/check-file";
import { fileQuery } from "@/lib/program/codes/open-file";
import { appUpload } from "@/lib/web/session/upload";

export const POST = appUpload(async (ctx, { query, source, signal, respond }) => {
  const input = parseInput(fileQuery, query);
  return respond((onProgress) =>
    checkCodeFile(ctx, { ...input, kind: "one_time", source, signal, onProgress }),
  );
});
