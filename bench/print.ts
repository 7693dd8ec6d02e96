import { type Measure, mediansOf } from "@/bench/measure";

const COLUMNS = ["req/s", "p50 ms", "p99 ms", "Node us", "PostgreSQL us", "failed"];

function cells(measure: Measure): string[] {
  const { perSecond, p50, p99, node, postgres, failed } = measure;
  const us = (value: number) => (value > 0 ? value.toFixed(0) : "-");
  return [perSecond.toFixed(0), p50.toFixed(2), p99.toFixed(2), us(node), us(postgres), String(failed)];
}

/** Prints a Markdown table with the first column aligned to the left. */
export function printTable(title: string, columns: string[], rows: string[][]): void {
  const all = [[title, ...columns], ...rows];
  const widths = all[0]?.map((_, index) => Math.max(...all.map((row) => row[index]?.length ?? 0))) ?? [];
  const line = (row: string[]) =>
    `| ${row.map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0))).join(" | ")} |`;
  const rule = `|${widths.map((width, index) => (index === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`;
  console.log([line(all[0] ?? []), rule, ...rows.map(line), ""].join("\n"));
}

/** Prints the medians of the runs of every subject. */
export function printRuns(title: string, runs: Map<string, Measure[]>): void {
  printTable(
    title,
    COLUMNS,
    [...runs].map(([name, all]) => [name, ...cells(mediansOf(all))]),
  );
}

/** Prints a ratio and whether it meets its target. */
export function printTarget(what: string, value: number, bound: { least: number } | { most: number }): void {
  const met = "least" in bound ? value >= bound.least : value <= bound.most;
  const wanted = "least" in bound ? `at least ${bound.least}` : `at most ${bound.most}`;
  console.log(`${met ? "met   " : "MISSED"}  ${what}: ${value.toFixed(2)} (${wanted})`);
}
