import { CODE_PATTERN } from "@/lib/contract/batch";
import type { Refusal } from "@/lib/contract/code-file";
import type { Platform } from "@/lib/contract/fields";
import type { Columns } from "./header";

/** Why a row of a file is not taken. */
type RowFault = Extract<
  Refusal,
  "not_a_code" | "other_app" | "other_store" | "link_differs" | "expired" | "used"
>;

/** What the codes of a file are. */
export interface CodeKind {
  platform: Platform;
  kind: "one_time" | "custom";
  /** Links to another app are refused where this is known. */
  appleAppId?: string | null;
}

/** `text` is what stood where the code should be; `expires` comes from a column of the file, in milliseconds. */
export type Row = { code: string; expires?: number } | { fault: RowFault; text: string };

type Link = { code: string } | { fault: RowFault };

const STORE_HOST: Record<Platform, string> = { ios: "apps.apple.com", android: "play.google.com" };
const LINK = /^https?:\/\//i;

/** What the Status column of a list that somebody keeps says of a code that is gone. */
const GONE = /^(redeemed|used|claimed|taken|inactive|deactivated|yes|true)$/i;
const MAX_SHOWN = 200;

function readLink(text: string, expected: CodeKind): Link {
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
  const refuse = (fault: RowFault, text = code || link) => ({ fault, text: text.slice(0, MAX_SHOWN) });
  if (linked && "fault" in linked) return refuse(linked.fault);
  // A numbered or annotated row has other cells than the code; the link then says which one it is.
  const text = spell(
    linked && (code === "" || (!columns && cells.includes(linked.code))) ? linked.code : code,
  );
  if (!CODE_PATTERN.test(text)) return refuse("not_a_code", cells.join(" "));
  if (linked && spell(linked.code) !== text) return refuse("link_differs", text);
  return columns ? readNotes(text, cells, columns) : { code: text };
}

/** What other columns say of a code: that it is gone, or when it will be. A date that nobody can read says nothing. */
function readNotes(code: string, cells: readonly string[], { expires, status }: Columns): Row {
  if (GONE.test(cells[status] ?? "")) return { fault: "used", text: code };
  const end = readDate(cells[expires] ?? "");
  if (Number.isNaN(end)) return { code };
  return end > Date.now() ? { code, expires: end } : { fault: "expired", text: code };
}

/** A date without a zone is taken as UTC, wherever the server stands. One without a year is none. */
function readDate(text: string): number {
  if (!/\d{4}/.test(text)) return Number.NaN;
  const utc = Date.parse(`${text} UTC`);
  return Number.isNaN(utc) ? Date.parse(text) : utc;
}
