import { CODE_PATTERN } from "@/lib/contract/batch";
import type { Platform } from "@/lib/contract/fields";
import type { Columns } from "./header";

/** Why a row of a file is not taken. */
export type RowFault = "not_a_code" | "other_app" | "other_store" | "link_differs";

/** What the codes of a file are. */
export interface CodeKind {
  platform: Platform;
  kind: "one_time" | "custom";
  /** Links to another app are refused where this is known. */
  appleAppId?: string | null;
}

export type Row = { code: string } | { fault: RowFault };

const STORE_HOST: Record<Platform, string> = { ios: "apps.apple.com", android: "play.google.com" };
const LINK = /^https?:\/\//i;

function readLink(text: string, expected: CodeKind): Row {
  if (!URL.canParse(text)) return { fault: "not_a_code" };
  const { hostname, searchParams } = new URL(text);
  if (hostname !== STORE_HOST[expected.platform]) return { fault: "other_store" };
  const app = searchParams.get("id");
  const other = expected.platform === "ios" && app && expected.appleAppId && app !== expected.appleAppId;
  if (other) return { fault: "other_app" };
  const code = searchParams.get("code");
  return code ? { code } : { fault: "not_a_code" };
}

/** Without a header the link is the cell that looks like one, and the code the first other cell with something in it. */
function pick(cells: readonly string[], columns: Columns | undefined): { code: string; link: string } {
  const link = columns ? cells[columns.link] : cells.find((cell) => LINK.test(cell));
  const code = columns ? cells[columns.code] : cells.find((cell) => cell !== "" && !LINK.test(cell));
  return { code: code ?? "", link: link ?? "" };
}

/** The code of one row, in the store's own spelling: Apple's one-time codes are upper case. */
export function readRow(cells: readonly string[], columns: Columns | undefined, expected: CodeKind): Row {
  const { code, link } = pick(cells, columns);
  const upper = expected.platform === "ios" && expected.kind === "one_time";
  const spell = (text: string) => (upper ? text.toUpperCase() : text);
  const linked = link ? readLink(link, expected) : undefined;
  if (linked && "fault" in linked) return linked;
  // A numbered or annotated row has other cells than the code; the link then says which one it is.
  const text = spell(
    linked && (code === "" || (!columns && cells.includes(linked.code))) ? linked.code : code,
  );
  if (!CODE_PATTERN.test(text)) return { fault: "not_a_code" };
  if (linked && spell(linked.code) !== text) return { fault: "link_differs" };
  return { code: text };
}
