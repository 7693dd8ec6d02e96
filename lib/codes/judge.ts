import type { Context } from "@/lib/context";
import type { Refusal } from "@/lib/contract/code-file";
import type { Platform } from "@/lib/contract/fields";
import { KnownCodes } from "./find-known";
import type { ParsedRow } from "./parse";
import { Seen } from "./seen";

/** What becomes of one row of a file. */
export interface Verdict {
  line: number;
  /** The code, or what stood in its place. */
  text: string;
  refusal?: Refusal;
  /** The earlier line or the batch that the code is in. */
  where?: string;
  /** When the file says that the code expires, in milliseconds. */
  expires?: number | undefined;
}

/** Rows that are looked up in one statement. */
const CHUNK = 5_000;

/** Tells of every row whether an import would take it, without storing anything. Yields groups, in constant memory. */
export async function* judgeRows(
  ctx: Context,
  platform: Platform,
  rows: AsyncIterable<ParsedRow[]>,
): AsyncGenerator<Verdict[]> {
  const seen = new Seen();
  const known = new KnownCodes(ctx.db, ctx.app.id, platform);
  let group: Verdict[] = [];
  for await (const some of rows) {
    for (const row of some) group.push(judgeAlone(row, seen));
    if (group.length < CHUNK) continue;
    yield await markKnown(group, known);
    group = [];
  }
  if (group.length > 0) yield await markKnown(group, known);
}

/** What can be said without the database. */
function judgeAlone(row: ParsedRow, seen: Seen): Verdict {
  if ("fault" in row) return { line: row.line, text: row.text, refusal: row.fault };
  const { line, code: text, expires } = row;
  const first = seen.firstLine(text, line);
  if (first === undefined) return { line, text, expires };
  return { line, text, refusal: "repeated_in_file", where: `line ${first}` };
}

async function markKnown(group: Verdict[], known: KnownCodes): Promise<Verdict[]> {
  const open = group.filter(({ refusal }) => refusal === undefined);
  if (open.length === 0) return group;
  const found = await known.find(open.map(({ text }) => text));
  for (const verdict of open) {
    const holder = found.get(verdict.text);
    if (!holder) continue;
    verdict.refusal = holder.unsettled ? "in_other_import" : "already_stored";
    const { origin, offer, createdAt } = holder.batch;
    verdict.where = `${origin ?? offer ?? "batch"} of ${createdAt.toISOString().slice(0, 10)}`;
  }
  return group;
}
