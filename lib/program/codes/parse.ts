import { isAscii } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { CsvError, type Parser, parse } from "csv-parse";
import { STORE_CODE_LENGTHS } from "@/lib/contract/code-file";
import type { Platform } from "@/lib/contract/fields";
import { fail } from "@/lib/platform/errors";
import { FileShape, separatorsOf } from "./file-shape";
import { type CodeColumns, type CodeKind, hasCode, type Row, readHeader, readRow } from "./read-row";

/** Bytes from which the format of a file is recognised: those of a small archive include the names of its files. */
const HEAD_BYTES = 4_096;

const SPREADSHEET = "Open it, export the sheet with the codes as CSV and choose that file";
const ARCHIVE = "Unpack it and choose the file with the codes";
const ONLY_TEXT = "Choose the CSV or text file with the codes";

interface Format {
  name: string;
  advice: string;
  /** The first bytes of such a file, each as a character. */
  begins: readonly string[];
  /** A text among its next bytes. */
  has?: RegExp;
}

const ZIP = ["PK\x03\x04", "PK\x05\x06"];
const COMPRESSED = ["\x1f\x8b", "BZh", "7z\xbc\xaf", "\xfd7zXZ", "Rar!"];
const PICTURE = ["\x89PNG", "\xff\xd8\xff", "GIF8", "RIFF", "II*\0", "MM\0*"];

/** Files that people choose in place of a list of codes; the first that fits names the file. */
const FORMATS: readonly Format[] = [
  { name: "a PDF document", advice: ONLY_TEXT, begins: ["%PDF-"] },
  { name: "an Excel file", advice: SPREADSHEET, begins: ["\xd0\xcf\x11\xe0"] },
  { name: "a Word document", advice: ONLY_TEXT, begins: ZIP, has: /word\// },
  { name: "an Excel file", advice: SPREADSHEET, begins: ZIP, has: /\[Content_Types\]\.xml|xl\// },
  { name: "a Numbers file", advice: SPREADSHEET, begins: ZIP, has: /Index\/[\w-]+\.iwa/ },
  { name: "an OpenDocument file", advice: SPREADSHEET, begins: ZIP, has: /mimetypeapplication\/vnd\.oasis/ },
  { name: "a ZIP archive", advice: ARCHIVE, begins: ZIP },
  { name: "a compressed file", advice: ARCHIVE, begins: COMPRESSED },
  { name: "a picture", advice: ONLY_TEXT, begins: PICTURE },
  { name: "a rich text document", advice: ONLY_TEXT, begins: ["{\\rtf"] },
  { name: "a web page", advice: ONLY_TEXT, begins: [""], has: /^\s*<(!doctype html|html)/i },
  { name: "an XML file", advice: ONLY_TEXT, begins: [""], has: /^\s*<\?xml/ },
  { name: "a JSON file", advice: ONLY_TEXT, begins: [""], has: /^\s*[[{]\s*["{[]/ },
];

/** Nearly every second byte of UTF-16 is zero in a list of codes; byte order marks are optional. */
function utf16Of(head: Buffer): "utf-16le" | "utf-16be" | undefined {
  if (head.length < 2) return undefined;
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le";
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be";
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (odd > head.length / 3 && even === 0) return "utf-16le";
  return even > head.length / 3 && odd === 0 ? "utf-16be" : undefined;
}

/**
 * Whether a text is UTF-8, by its first characters that are not ASCII: damaged ones later on must not garble the rest.
 * Excel saves CSV in the code page of Windows, in which a letter such as ü is no UTF-8.
 */
function isUtf8(bytes: Buffer): boolean {
  const [characters = ""] = /[\x80-\xff]+[\s\S]?/.exec(bytes.toString("latin1")) ?? [];
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(characters, "latin1"), { stream: true });
    return true;
  } catch {
    return false;
  }
}

type Decode = (bytes: Buffer) => Buffer | string;

function decoderOf(encoding: string): Decode {
  const decoder = new TextDecoder(encoding);
  return (bytes) => decoder.decode(bytes, { stream: true });
}

function refuseOtherFormats(head: Buffer): void {
  const text = head.toString("latin1").replace(/^\xef\xbb\xbf/, "");
  const found = FORMATS.find(
    ({ begins, has }) => begins.some((bytes) => text.startsWith(bytes)) && (has?.test(text) ?? true),
  );
  if (found) fail("VALIDATION_ERROR", `This is ${found.name}, not a list of codes. ${found.advice}`);
  if (head.includes(0)) fail("VALIDATION_ERROR", `This is not a text file. ${ONLY_TEXT}`);
}

/**
 * Passes the text of a file on: UTF-8 as it arrives, UTF-16 and the code page of Windows decoded. Throws
 * VALIDATION_ERROR with the name of a format that is not text, before any of it is passed on.
 */
async function* textOfFile(source: FileChunks): AsyncGenerator<Buffer | string> {
  let head: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  let known = false;
  let decode: Decode | undefined;
  const decoded = (bytes: Buffer) => {
    if (!decode && !isAscii(bytes)) decode = isUtf8(bytes) ? (utf8) => utf8 : decoderOf("windows-1252");
    return decode ? decode(bytes) : bytes;
  };
  const open = () => {
    known = true;
    const encoding = utf16Of(head);
    if (encoding) decode = decoderOf(encoding);
    else refuseOtherFormats(head);
    return decoded(head);
  };
  for await (const chunk of source) {
    const bytes =
      typeof chunk === "string"
        ? Buffer.from(chunk)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (known) {
      yield decoded(bytes);
      continue;
    }
    head = Buffer.concat([head, bytes]);
    if (head.length >= HEAD_BYTES) yield open();
  }
  if (!known) yield open();
}

/** A file as it arrives, in bytes or text: from an upload, the disk or a generator. */
export type FileChunks = AsyncIterable<Uint8Array | string>;

/** A row of a file: its code, or the reason for having none. Lines count from 1. */
export type ParsedRow = Row & { line: number };

/** Without a limit, an unclosed quote would read the rest of the file into one cell. */
const MAX_ROW_BYTES = 8_192;
/**
 * Bytes of the file per group of rows, so that memory does not grow with the source's chunks. After each, some 2 ms of work,
 * the process serves other requests: without this, pages took ten times as long while a file was checked.
 */
const PIECE_BYTES = 16 * 1_024;

function* pieces(chunk: Buffer | string): Generator<Buffer> {
  const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) yield bytes.subarray(from, from + PIECE_BYTES);
}

function settled(act: (done: (error?: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())));
}

/** A cell without invisible characters and without what spreadsheets put around a text: `="0123"`, `'0123`. */
const plainCell = (cell: string): string =>
  /^\w*$/.test(cell)
    ? cell
    : cell
        .replace(/[\u200b-\u200d\u2060\ufeff]/g, "")
        .replace(/^\s*(?:="(.*)"|'(.*))$/, "$1$2")
        .trim();

/**
 * The rows in a line without a header: one for each code where it lists three or more of the store's, in capitals and of
 * one length; otherwise the line itself.
 */
function rowsOf(cells: string[], platform: Platform): string[][] {
  const codes = cells.length > 2 ? cells.filter(Boolean) : [];
  const [{ length } = ""] = codes;
  const listed =
    codes.length > 2 &&
    STORE_CODE_LENGTHS[platform].includes(length) &&
    codes.every((code) => code.length === length && /^(?=.*[A-Z])[A-Z\d]+$/.test(code));
  return listed ? codes.map((code) => [code]) : [cells];
}

/**
 * A parser that passes every record to `onRow` and stores none: csv-parse's object stream costs a promise per row,
 * which is a third of the time of the whole import.
 */
function createParser(delimiter: string[], onRow: (cells: string[], line: number) => void): Parser {
  const parser = parse({
    bom: true,
    // By default the parser expects the first line's ending in all lines, but joined files have several.
    record_delimiter: ["\r\n", "\n", "\r"],
    delimiter,
    trim: true,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW_BYTES,
    on_record: (cells: string[], { lines }) => {
      onRow(cells.map(plainCell), lines);
      return null;
    },
  });
  // Failures reach the caller through the write that caused them.
  return parser.on("error", () => undefined).resume();
}

/**
 * Parses a store's code file in any known layout: with or without a header, with codes, links or both, quotes, either line
 * end, in UTF-8, UTF-16 or the code page of Windows. Yields groups of rows, and adds them to the file's shape. Throws
 * VALIDATION_ERROR for a file of another format, for one that is not a table, and for a table of something else.
 */
export async function* parseCodes(
  source: FileChunks,
  expected: CodeKind,
  shape = new FileShape(expected.platform),
): AsyncGenerator<ParsedRow[]> {
  let rows: ParsedRow[] = [];
  let complete = 0;
  let columns: CodeColumns | undefined;
  let parser: Parser | undefined;
  const onRow = (cells: string[], line: number) => {
    complete = line;
    const header = readHeader(cells);
    if (header && !(columns && hasCode(cells, columns, expected))) {
      columns = header;
      return shape.addHeader(cells);
    }
    for (const part of columns ? [cells] : rowsOf(cells, expected.platform)) {
      const row = readRow(part, columns, expected);
      shape.add(part, row);
      rows.push({ line, ...row });
    }
    shape.addDate(cells[columns?.expires ?? -1] ?? "");
  };
  try {
    for await (const chunk of textOfFile(source)) {
      parser ??= createParser(separatorsOf(chunk), onRow);
      for (const piece of pieces(chunk)) {
        await settled((done) => parser?.write(piece, done));
        if (rows.length > 0) yield rows;
        rows = [];
        await setImmediate();
      }
    }
    await settled((done) => parser?.end(done));
    shape.assertList();
    if (rows.length > 0) yield rows;
  } catch (error) {
    if (error instanceof CsvError) {
      const reason =
        "has a quotation mark that is never closed, or is too long. Put each code on a line of its own";
      fail("VALIDATION_ERROR", `Line ${complete + 1} ${reason}`, { cause: error });
    }
    throw error;
  } finally {
    parser?.destroy();
  }
}
