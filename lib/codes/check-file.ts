import { uuidv7 } from "uuidv7";
import type { Context } from "@/lib/context";
import { type CheckReport, maskCode, type Refusal } from "@/lib/contract/code-file";
import { judgeRows, type Verdict } from "./judge";
import { type FileInput, openFile } from "./open-file";

/** Of every kind of refusal so many rows are shown. */
const EXAMPLES = 20;

interface CheckInput extends FileInput {
  /** Called after every few thousand rows. */
  onProgress?: (counts: { read: number; fresh: number }) => void;
}

/**
 * The dry run of an import: what a file would bring and which rows would be refused, with nothing stored. Throws what
 * an import throws for the file's frame: VALIDATION_ERROR, NOT_FOUND, the signal's reason.
 */
export async function checkCodes(ctx: Context, input: CheckInput): Promise<CheckReport> {
  const { onProgress, ...file } = input;
  const { pool, rows } = await openFile(ctx, file);
  const report: CheckReport = {
    batchId: uuidv7(),
    read: 0,
    fresh: 0,
    refused: {},
    examples: {},
    expiresAt: null,
  };
  for await (const group of judgeRows(ctx, pool.platform, rows)) {
    for (const verdict of group) count(report, verdict);
    onProgress?.({ read: report.read, fresh: report.fresh });
  }
  return report;
}

function count(report: CheckReport, { line, text, refusal, where, expires }: Verdict): void {
  report.read += 1;
  if (refusal === undefined) {
    report.fresh += 1;
    const date = expires === undefined ? undefined : new Date(expires).toISOString().slice(0, 10);
    if (date && (report.expiresAt === null || date < report.expiresAt)) report.expiresAt = date;
    return;
  }
  report.refused[refusal] = (report.refused[refusal] ?? 0) + 1;
  const rows = report.examples[refusal] ?? [];
  report.examples[refusal] = rows;
  if (rows.length < EXAMPLES) rows.push({ line, text: shown(text, refusal), where });
}

function shown(text: string, refusal: Refusal): string {
  return refusal === "not_a_code" ? text.slice(0, 60) : maskCode(text);
}
