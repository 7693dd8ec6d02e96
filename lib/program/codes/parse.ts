import { CsvError, type Parser, parse } from "csv-parse";
import { fail } from "@/lib/platform/errors";
import { FileShape } from "./file-shape";
import { textOfFile } from "./file-text";
import { type CodeKind, type Columns, type Row, readHeader, readRow } from "./read-row";

/** A file as it arrives, in bytes or text: from an upload, the disk or a generator. */
export type FileChunks = AsyncIterable<Uint8Array | string>;

/** A row of a file: its code, or the reason for having none. Lines count from 1. */
export type ParsedRow = Row & { line: number };

/** Without a limit, an unclosed quote would read the rest of the file into one cell. */
const MAX_ROW_BYTES = 8_192;
/** Bytes of the file per group of rows, so that memory does not grow with the source's chunks. */
const PIECE_BYTES = 64 * 1_024;

function* pieces(chunk: Buffer | string): Generator<Buffer> {
  const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}

function settled(act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
}

/**
 * A parser that passes every record to `onRow` and stores none: csv-parse's object stream costs a promise per row,
 * which is a third of the time of the whole import.
 */
function createParser(onRow: (cells: string[], line: number) => void): Parser {
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
 * Parses a store's code file in any known layout: with or without a header, with codes, links or both, byte order
 * mark, quotes, either line end, UTF-16. Yields groups of rows, and adds them to the file's shape. Throws
 * VALIDATION_ERROR for a file of another format, for one that is not a table, and for a table of something else.
 */
export async function* parseCodes(
  source: FileChunks,
  expected: CodeKind,
  shape = new FileShape(expected.platform),
): AsyncGenerator<ParsedRow[]> {
  let rows: ParsedRow[] = [];
  let complete = 0;
  let columns: Columns | undefined;
  const parser = createParser((cells, line) => {
    complete = line;
    const header = readHeader(cells);
    if (header) {
      columns = header;
      return shape.addHeader();
    }
    const row = readRow(cells, columns, expected);
    shape.add(cells, row);
    rows.push({ line, ...row });
  });
  try {
    for await (const chunk of textOfFile(source)) {
      for (const piece of pieces(chunk)) {
        await settled((done) => parser.write(piece, done));
        if (rows.length > 0) yield rows;
        rows = [];
      }
    }
    await settled((done) => parser.end(done));
    shape.assertList();
    if (rows.length > 0) yield rows;
  } catch (error) {
    if (error instanceof CsvError) {
      const reason = "has a quotation mark that is never closed, or is far too long for a code";
      fail("VALIDATION_ERROR", `Line ${complete + 1} ${reason}`, { cause: error });
    }
    throw error;
  } finally {
    parser.destroy();
  }
}
