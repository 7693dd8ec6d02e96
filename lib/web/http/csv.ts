import { Readable } from "node:stream";
import { ReadableStream as WebStream } from "node:stream/web";
import { stringify } from "csv-stringify";

type Row = Record<string, string | number | boolean | Date | null | undefined>;

/**
 * Positions at which a spreadsheet may start a cell and run it as a formula: the start of the text, and after `;`, a tab or
 * a line break, because Excel splits the file there, even inside quotes, where `;` is the list separator.
 */
const FORMULA_START = /(?<=^|[;\t\r\n])(?=[\s"]*[=+\-@＝＋－＠])/g;

/** The text with an apostrophe in front of everything that a spreadsheet would run. */
const withoutFormulas = (text: string): string => text.replace(FORMULA_START, "'");

/**
 * A CSV download that streams its rows, so memory stays constant. Cells that a spreadsheet would run as a formula get
 * an apostrophe in front; times are ISO 8601 in UTC.
 */
export function csvResponse(
  fileName: string,
  columns: readonly string[],
  rows: AsyncIterable<Row>,
): Response {
  const writer = stringify({
    header: true,
    columns: [...columns],
    bom: true,
    escape_formulas: true,
    quoted_match: /;/,
    cast: { date: (value) => value.toISOString(), boolean: String, string: withoutFormulas },
  });
  const source = Readable.from(rows);
  source.on("error", (error) => writer.destroy(error));
  writer.on("close", () => source.destroy());
  // Not `Readable.toWeb`, which throws outside of any promise when a reader disconnects during a read.
  return new Response(WebStream.from<Uint8Array>(source.pipe(writer)) as ReadableStream<Uint8Array>, {
    headers: {
      "Content-Type": "text/csv; charset=utf-8",
      "Content-Disposition": `attachment; filename="${fileName.replace(/[^\w.-]+/g, "-")}"`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
