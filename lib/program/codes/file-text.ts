import { fail } from "@/lib/platform/errors";
import type { FileChunks } from "./parse";

/** Bytes that tell the format of a file: the names in a small archive are among them. */
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
  { name: "an Excel file", advice: SPREADSHEET, begins: ZIP, has: /\[Content_Types\]\.xml|xl\// },
  { name: "a Numbers file", advice: SPREADSHEET, begins: ZIP, has: /Index\/[\w-]+\.iwa/ },
  { name: "an OpenDocument file", advice: SPREADSHEET, begins: ZIP, has: /mimetypeapplication\/vnd\.oasis/ },
  { name: "a ZIP archive", advice: ARCHIVE, begins: ZIP },
  { name: "a compressed file", advice: ARCHIVE, begins: COMPRESSED },
  { name: "a picture", advice: ONLY_TEXT, begins: PICTURE },
  { name: "a rich text document", advice: ONLY_TEXT, begins: ["{\\rtf"] },
  { name: "a web page", advice: ONLY_TEXT, begins: [""], has: /^\s*<(!doctype html|html|\?xml)/i },
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

function refuseOtherFormats(head: Buffer): void {
  const text = head.toString("latin1").replace(/^\xef\xbb\xbf/, "");
  const found = FORMATS.find(
    ({ begins, has }) => begins.some((bytes) => text.startsWith(bytes)) && (has?.test(text) ?? true),
  );
  if (found) fail("VALIDATION_ERROR", `This is ${found.name}, not a list of codes. ${found.advice}`);
  if (head.includes(0)) fail("VALIDATION_ERROR", `This is not a text file. ${ONLY_TEXT}`);
}

/**
 * Passes the text of a file on: UTF-8 as it arrives, UTF-16 decoded. Throws VALIDATION_ERROR with the name of a format
 * that is not text, before any of it is passed on.
 */
export async function* textOfFile(source: FileChunks): AsyncGenerator<Buffer | string> {
  let head: Buffer<ArrayBufferLike> = Buffer.alloc(0);
  let decoder: TextDecoder | undefined;
  let known = false;
  const decoded = (bytes: Buffer) => (decoder ? decoder.decode(bytes, { stream: true }) : bytes);
  const open = () => {
    known = true;
    const encoding = utf16Of(head);
    if (encoding) decoder = new TextDecoder(encoding);
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
