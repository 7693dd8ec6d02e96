import { and, eq, inArray, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { type CheckReport, maskCode, ROW_REFUSALS, type RowRefusal } from "@/lib/contract/code-file";
import type { Platform } from "@/lib/contract/fields";
import { isoDay } from "@/lib/contract/format";
import { batches, codes } from "@/lib/platform/db/schema";
import { FirstLineIndex } from "@/lib/program/codes/first-line-index";
import { type CodeFileInput, openCodeFile } from "@/lib/program/codes/open-file";
import type { ParsedRow } from "@/lib/program/codes/parse";
import { spoolRows } from "@/lib/program/codes/spool-rows";
import type { Context } from "@/lib/tenants/context";

/** A row of a file with the result of its check. */
interface CheckedRow {
  line: number;
  /** The code, or the cell's text instead of one. */
  text: string;
  refusal?: RowRefusal;
  /** The earlier line or the batch that has the code. */
  where?: string;
  /** Expiry from the file, in milliseconds since 1970. */
  expires?: number | undefined;
}

/** Rows that are looked up in one statement. */
const CHUNK = 5_000;

/** Checks whether an import would take each row, without storing anything. Yields groups, in constant memory. */
async function* checkRows(
  ctx: Context,
  platform: Platform,
  rows: AsyncIterable<ParsedRow[]>,
): AsyncGenerator<CheckedRow[]> {
  const lines = new FirstLineIndex();
  const stored = new StoredCodes(ctx, platform);
  let group: CheckedRow[] = [];
  for await (const parsed of rows) {
    for (const row of parsed) group.push(checkInFile(row, lines));
    if (group.length < CHUNK) continue;
    yield await refuseStored(group, stored);
    group = [];
  }
  if (group.length > 0) yield await refuseStored(group, stored);
}

/** The part of the check that needs no database. */
function checkInFile(row: ParsedRow, lines: FirstLineIndex): CheckedRow {
  if ("fault" in row) return { line: row.line, text: row.text, refusal: row.fault };
  const { line, code: text, expires } = row;
  const first = lines.firstLine(text, line);
  if (first === undefined) return { line, text, expires };
  return { line, text, refusal: "repeated_in_file", where: `line ${first}` };
}

async function refuseStored(group: CheckedRow[], stored: StoredCodes): Promise<CheckedRow[]> {
  const fresh = group.filter(({ refusal }) => refusal === undefined);
  if (fresh.length === 0) return group;
  const found = await stored.find(fresh.map(({ text }) => text));
  for (const row of fresh) {
    const code = found.get(row.text);
    if (!code) continue;
    row.refusal = code.unsettled ? "in_other_import" : "already_stored";
    if (!code.batch) continue;
    const { origin, offer, createdAt } = code.batch;
    row.where = `${origin ?? offer ?? "batch"} of ${isoDay(createdAt)}`;
  }
  return group;
}

type CodeBatch = Pick<typeof batches.$inferSelect, "id" | "offer" | "origin" | "state" | "createdAt">;

interface StoredCode {
  /** Undefined if its codes were voided after a restore and its pool was deleted. */
  batch: CodeBatch | undefined;
  /** The batch is being imported or removed: its code may be free to import in two minutes. */
  unsettled: boolean;
}

/** Looks up the stored codes of an app. Each batch is read once. */
class StoredCodes {
  private readonly batches = new Map<string, CodeBatch>();

  constructor(
    private readonly ctx: Context,
    private readonly platform: Platform,
  ) {}

  /** The stored codes among the texts, by text, in one scan of the unique index. */
  async find(texts: readonly string[]): Promise<Map<string, StoredCode>> {
    const rows = await this.ctx.db.orm
      .select({ code: codes.code, batchId: codes.batchId, status: codes.status })
      .from(codes)
      .where(
        and(
          eq(codes.appId, this.ctx.app.id),
          eq(codes.platform, this.platform),
          eq(codes.useNumber, 0),
          sql`${codes.code} = any(${sql.param(texts)}::text[])`,
        ),
      );
    await this.loadBatches(new Set(rows.map(({ batchId }) => batchId)));
    const found = new Map<string, StoredCode>();
    for (const { code, batchId, status } of rows) {
      const batch = this.batches.get(batchId);
      const beingRemoved = batch?.state === "undone" && status === "available";
      found.set(code, { batch, unsettled: beingRemoved || batch?.state === "importing" });
    }
    return found;
  }

  private async loadBatches(ids: Set<string>): Promise<void> {
    const missing = [...ids].filter((id) => !this.batches.has(id));
    if (missing.length === 0) return;
    const { id, offer, origin, state, createdAt } = batches;
    const rows = await this.ctx.db.orm
      .select({ id, offer, origin, state, createdAt })
      .from(batches)
      .where(and(eq(batches.appId, this.ctx.app.id), inArray(id, missing)));
    for (const batch of rows) this.batches.set(batch.id, batch);
  }
}

/** Rows shown of each kind of refusal. */
const EXAMPLES = 20;

interface CheckInput extends CodeFileInput {
  /** Called after every few thousand rows. */
  onProgress?: (counts: { read: number; fresh: number }) => void;
}

/**
 * The dry run of an import: counts new and refused rows, and stores nothing. Throws VALIDATION_ERROR, NOT_FOUND, the
 * signal's reason.
 */
export async function checkCodeFile(ctx: Context, input: CheckInput): Promise<CheckReport> {
  const { onProgress, ...file } = input;
  const { platform, shape, rows } = await openCodeFile(ctx, file);
  const report: CheckReport = {
    batchId: uuidv7(),
    read: 0,
    fresh: 0,
    refused: {},
    examples: {},
    ends: { first: [], last: [] },
    concerns: {},
    expiresAt: null,
    dates: { order: file.dates ?? "month", evident: null, unclear: null },
  };
  for await (const group of checkRows(ctx, platform, rows)) {
    for (const row of group) addToReport(report, row);
    onProgress?.({ read: report.read, fresh: report.fresh });
  }
  Object.assign(report.dates, shape.orderOfDates());
  return { ...report, ends: shape.ends(), concerns: shape.concerns() };
}

function addToReport(report: CheckReport, { line, text, refusal, where, expires }: CheckedRow): void {
  report.read += 1;
  if (refusal === undefined) {
    report.fresh += 1;
    const date = expires === undefined ? undefined : isoDay(expires);
    if (date && (report.expiresAt === null || date < report.expiresAt)) report.expiresAt = date;
    return;
  }
  report.refused[refusal] = (report.refused[refusal] ?? 0) + 1;
  const rows = report.examples[refusal] ?? [];
  report.examples[refusal] = rows;
  if (rows.length < EXAMPLES) rows.push({ line, text: shownText(text, refusal), where });
}

function shownText(text: string, refusal: RowRefusal): string {
  return refusal === "not_a_code" ? text.slice(0, 60) : maskCode(text);
}

/** Columns of the file of refused rows. */
export const REFUSED_COLUMNS = ["line", "text", "reason", "where", "advice"] as const;

type RefusedCells = Record<(typeof REFUSED_COLUMNS)[number], string | number | undefined>;

/**
 * Every row that an import would refuse, with its text unmasked: the file belongs to the caller. Resolves once the
 * whole file is read. Throws the errors of {@link openCodeFile} and {@link spoolRows}.
 */
export async function listRefusedRows(
  ctx: Context,
  input: CodeFileInput,
  maxBytes?: number,
): Promise<AsyncGenerator<RefusedCells>> {
  const { platform, rows } = await openCodeFile(ctx, input);
  const checked = checkRows(ctx, platform, rows);
  async function* refused() {
    for await (const group of checked)
      yield group.flatMap(({ line, text, refusal, where }) =>
        refusal ? [{ line, text, refusal, where }] : [],
      );
  }
  const spooled = await spoolRows(refused(), maxBytes);
  // A reason and its advice are many times as long as a short row.
  async function* withReasons(): AsyncGenerator<RefusedCells> {
    for await (const { refusal, ...cells } of spooled) {
      const { name, advice } = ROW_REFUSALS[refusal];
      yield { ...cells, reason: name, advice };
    }
  }
  return withReasons();
}
