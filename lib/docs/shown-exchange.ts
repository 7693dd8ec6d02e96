import type { Block } from "@/lib/contract/docs";
import { openDocsPage } from "./open-page";

type Code = Extract<Block, { kind: "code" }>;

/** The redeem of the quickstart, which a test runs, for pages that show one request. Undefined without the pages. */
export async function shownExchange(): Promise<{ request: Code; answer: Code } | undefined> {
  const page = await openDocsPage("/docs/quickstart");
  const codes = page?.blocks.filter((block) => block.kind === "code") ?? [];
  const index = codes.findIndex(({ info }) => info === "answer redeem");
  const [request, answer] = [codes[index - 1], codes[index]];
  return request && answer && { request: onlyCurl(request), answer };
}

/** Without the lines that fetch its metacode first. */
function onlyCurl(code: Code): Code {
  const lines = code.text.split("\n");
  const from = lines.findIndex((line) => line.startsWith("curl"));
  if (from < 0) return code;
  return { ...code, text: lines.slice(from).join("\n"), lines: code.lines?.slice(from) ?? [] };
}
