import type { RowRefusal } from "@/lib/contract/code-file";

/** The reason why a row yielded no code: a fault of the row, or a stored code. */
export type SkipReason = Exclude<RowRefusal, "in_other_import">;

/** Progress or result of an import. */
export interface ImportCounts {
  /** Rows that are not empty, without the header. */
  read: number;
  imported: number;
  skipped: Partial<Record<SkipReason, number>>;
}

/** Skipped rows that are listed; the counts include all skipped rows. */
const EXAMPLES = 100;

/** Counts the rows of an import in constant memory. */
export class ImportCounter {
  read = 0;
  imported = 0;
  readonly skipped: Partial<Record<SkipReason, number>> = {};
  readonly examples: { line: number; reason: SkipReason }[] = [];

  skip(line: number, reason: SkipReason): void {
    this.skipped[reason] = (this.skipped[reason] ?? 0) + 1;
    if (this.examples.length < EXAMPLES) this.examples.push({ line, reason });
  }

  counts(): ImportCounts {
    return { read: this.read, imported: this.imported, skipped: { ...this.skipped } };
  }
}
