import { uuidv7 } from "uuidv7";
import { type CheckReport, maskCode, ROW_REFUSALS, type RowRefusal } from "@/lib/contract/code-file";
import { isoDay } from "@/lib/contract/format";
import type { Context } from "@/lib/tenants/context";
import { type CheckedRow, checkRows } from "./check-rows";
import { type CodeFileInput, openCodeFile } from "./open-file";
import { spoolRows } from "./spool-rows";

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
  };
  for await (const group of checkRows(ctx, platform, rows)) {
    for (const row of group) addToReport(report, row);
    onProgress?.({ read: report.read, fresh: report.fresh });
  }
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
 * whole file is read. Throws the errors of {@link openCodeFile}.
 */
export async function listRefusedRows(
  ctx: Context,
  input: CodeFileInput,
): Promise<AsyncGenerator<RefusedCells>> {
  const { platform, rows } = await openCodeFile(ctx, input);
  const checked = checkRows(ctx, platform, rows);
  async function* refused(): AsyncGenerator<RefusedCells[]> {
    for await (const group of checked) {
      yield group.flatMap(({ line, text, refusal, where }) => {
        if (!refusal) return [];
        const { name, advice } = ROW_REFUSALS[refusal];
        return [{ line, text, reason: name, where, advice }];
      });
    }
  }
  return spoolRows(refused());
}
