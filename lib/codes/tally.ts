import type { Refusal } from "@/lib/contract/code-file";

/** Why a row brought no code: its own fault, or the code is known already. */
export type SkipReason = Exclude<Refusal, "in_other_import">;

/** How far an import is, or how it ended. */
export interface ImportCounts {
  /** Rows with something in them, a header not counted. */
  read: number;
  imported: number;
  skipped: Partial<Record<SkipReason, number>>;
}

/** The first skipped rows, to show where to look; the counts are of all of them. */
const EXAMPLES = 100;

/** Counts rows in constant memory. */
export class Tally {
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
