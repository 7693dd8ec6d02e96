import { CsvError, type Parser, parse } from "csv-parse";
import { fail } from "@/lib/errors";
import { type Columns, readHeader } from "./header";
import { type CodeKind, type Row, readRow } from "./read-row";

/** Bytes or text as they arrive: an upload, a file, a generator. */
export type CodeSource = AsyncIterable<Uint8Array | string>;

/** One row of a file: its code, or why it has none. Lines count from 1. */
export type ParsedRow = Row & { line: number };

/** An unclosed quote would gather the rest of the file into one cell. */
const MAX_ROW_BYTES = 8_192;
/** Rows come in groups of about this much of the file, so that memory does not grow with a source's own pieces. */
const PIECE_BYTES = 64 * 1_024;

function* pieces(chunk: Uint8Array | string): Generator<Buffer> {
  const bytes =
    typeof chunk === "string"
      ? Buffer.from(chunk)
      : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}

function settled(act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
}

/**
 * csv-parse hands every record to `onRow` while it parses and keeps none: its object stream costs a promise a row,
 * which is a third of the time of the whole import.
 */
function openParser(onRow: (cells: string[], line: number) => void): Parser {
  const parser = parse({
    bom: true,
    delimiter: [",", ";", "\t"],
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW_BYTES,
    on_record: (cells: string[], { lines }) => {
      onRow(cells, lines);
      return null;
    },
  });
  // Failures reach the caller through the write that caused them.
  return parser.on("error", () => undefined).resume();
}

/**
 * Reads a store's code file of any layout seen in the wild: header or none, a link column beside the code, alone or
 * absent, byte order mark, quotes, either line end. Yields groups of rows. Throws VALIDATION_ERROR for what is no table.
 */
export async function* parseCodes(source: CodeSource, expected: CodeKind): AsyncGenerator<ParsedRow[]> {
  let rows: ParsedRow[] = [];
  let columns: Columns | undefined;
  const parser = openParser((cells, line) => {
    const header = readHeader(cells);
    if (header) columns = header;
    else rows.push({ line, ...readRow(cells, columns, expected) });
  });
  try {
    for await (const chunk of source) {
      for (const piece of pieces(chunk)) {
        await settled((done) => parser.write(piece, done));
        if (rows.length > 0) yield rows;
        rows = [];
      }
    }
    await settled((done) => parser.end(done));
    if (rows.length > 0) yield rows;
  } catch (error) {
    if (error instanceof CsvError)
      fail("VALIDATION_ERROR", "The file is not a list of codes", { cause: error });
    throw error;
  } finally {
    parser.destroy();
  }
}
