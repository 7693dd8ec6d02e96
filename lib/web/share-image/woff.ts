import { access, mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { inflateSync } from "node:zlib";

const HEADER = 44;
const ENTRY = 20;

interface FontTable {
  tag: string;
  data: Buffer;
}

/** The tables of a WOFF 1.0 file (W3C Recommendation of 2012, section 3 to 5). */
function tablesOf(woff: Buffer): FontTable[] {
  return Array.from({ length: woff.readUInt16BE(12) }, (_, index) => {
    const at = HEADER + index * ENTRY;
    const start = woff.readUInt32BE(at + 4);
    const packed = woff.readUInt32BE(at + 8);
    const data = woff.subarray(start, start + packed);
    const whole = packed < woff.readUInt32BE(at + 12) ? inflateSync(data) : data;
    return { tag: woff.toString("latin1", at, at + 4), data: whole };
  });
}

/** A `name` table with `family` as the font's only name. */
function nameTable(family: string): Buffer {
  const text = Buffer.from(Buffer.from(family, "utf16le")).swap16();
  const ids = [1, 4, 6];
  const head = Buffer.alloc(6 + 12 * ids.length);
  head.writeUInt16BE(ids.length, 2);
  head.writeUInt16BE(head.length, 4);
  for (const [index, id] of ids.entries()) {
    const record = [3, 1, 0x409, id, text.length, 0];
    for (const [place, value] of record.entries()) head.writeUInt16BE(value, 6 + index * 12 + place * 2);
  }
  return Buffer.concat([head, text]);
}

/** Packs tables into a TrueType file. Checksums stay zero, because the renderer does not check them. */
function pack(flavor: Buffer, tables: FontTable[]): Buffer {
  const head = Buffer.alloc(12 + 16 * tables.length);
  flavor.copy(head);
  head.writeUInt16BE(tables.length, 4);
  const parts: Buffer[] = [head];
  let at = head.length;
  for (const [index, { tag, data }] of tables.entries()) {
    const entry = 12 + 16 * index;
    head.write(tag, entry, "latin1");
    head.writeUInt32BE(at, entry + 8);
    head.writeUInt32BE(data.length, entry + 12);
    const padding = Buffer.alloc((4 - (data.length % 4)) % 4);
    parts.push(data, padding);
    at += data.length + padding.length;
  }
  return Buffer.concat(parts);
}

/**
 * Makes a TrueType file from a WOFF file, under a family name of our own, so that no font of the machine is mistaken
 * for it. Also returns the code points for which the font has a glyph.
 */
export function unpackWoff(woff: Buffer, family: string): { font: Buffer; covered: number[] } {
  const tables = tablesOf(woff).map(({ tag, data }) => ({
    tag,
    data: tag === "name" ? nameTable(family) : data,
  }));
  const map = tables.find(({ tag }) => tag === "cmap");
  if (!map) throw new Error("the font maps no characters");
  return { font: pack(woff.subarray(4, 8), tables), covered: coveredBy(map.data) };
}

type Range = [first: number, last: number];

function wideRanges(table: Buffer): Range[] {
  return Array.from({ length: table.readUInt32BE(12) }, (_, index) => [
    table.readUInt32BE(16 + index * 12),
    table.readUInt32BE(20 + index * 12),
  ]);
}

/** The last segment is the end marker 0xFFFF and no character. */
function shortRanges(table: Buffer): Range[] {
  const size = table.readUInt16BE(6);
  return Array.from({ length: size / 2 }, (_, index): Range => {
    const at = 14 + index * 2;
    return [table.readUInt16BE(at + 2 + size), table.readUInt16BE(at)];
  }).filter(([first]) => first !== 0xffff);
}

/**
 * The code points in a font's `cmap` table, from its maps of format 4 and 12; every current font has one of them.
 */
function coveredBy(cmap: Buffer): number[] {
  const covered: number[] = [];
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + index * 8));
    const format = table.readUInt16BE(0);
    const ranges = format === 12 ? wideRanges(table) : format === 4 ? shortRanges(table) : [];
    for (const [first, last] of ranges) for (let code = first; code <= last; code++) covered.push(code);
  }
  return covered;
}

/** A TrueType file and its content. */
export interface UnpackedFont {
  file: string;
  bytes: Buffer;
}

/** Writes a font that is not there: the renderer opens the file again for a size or script that it has not drawn yet. */
export async function writeMissing({ file, bytes }: UnpackedFont): Promise<void> {
  const missing = await access(file).then(
    () => false,
    () => true,
  );
  if (!missing) return;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(`${file}.draft`, bytes);
  await rename(`${file}.draft`, file);
}
