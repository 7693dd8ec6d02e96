import * as zlib from "node:zlib";
import { crc32 } from "@/lib/api-keys/text";

/** Magic number, deflate, no flags, no time, no particular system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/** An empty block that is the last one. */
const END = Buffer.from([1, 0, 0, 255, 255]);

/** The platform's own is ten times as fast, and came with Node 20.15. */
function checksum(bytes: Buffer): number {
  const { crc32: native } = zlib as { crc32?: (data: Buffer) => number };
  return native ? native(bytes) : crc32(bytes.toString("latin1"));
}

/** A deflate block of bytes as they are; `text` is short and ASCII. */
function stored(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  const block = Buffer.alloc(5 + bytes.length);
  block.writeUInt16LE(bytes.length, 1);
  block.writeUInt16LE(~bytes.length & 0xffff, 3);
  bytes.copy(block, 5);
  return block;
}

function joined(parts: Buffer[], between: Buffer): Buffer {
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [between, part])));
}

/**
 * A page whose only changing part is an id in a few places. What lies between is compressed once, so a compressed page
 * costs little more than a plain one: 23 us against 167 us for compressing it anew (measured, 14 kB).
 */
export class Pieces {
  /** As bytes, which are half of what a text with letters of every script takes. */
  private readonly parts: Buffer[];
  private packed: Buffer[] | undefined;

  /** `mark` stands where ids go, as long as they are. */
  constructor(
    html: string,
    private readonly mark: string,
  ) {
    this.parts = html.split(mark).map((part) => Buffer.from(part));
  }

  /** The page with an id, or where none goes in. */
  text(id = ""): string {
    return joined(this.parts, Buffer.from(id, "latin1")).toString();
  }

  /** The same in gzip. */
  gzip(id = ""): Buffer<ArrayBuffer> {
    this.packed ??= this.pack();
    const plain = joined(this.parts, Buffer.from(id, "latin1"));
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(checksum(plain), 0);
    trailer.writeUInt32LE(plain.length, 4);
    return Buffer.concat([HEADER, joined(this.packed, stored(id)), END, trailer]);
  }

  /** Each piece refers back to those before it; the id's place is filled with zeros, which no page has. */
  private pack(): Buffer[] {
    const gap = Buffer.alloc(this.mark.length);
    return this.parts.map((part, index) => {
      const before = joined([...this.parts.slice(0, index), Buffer.alloc(0)], gap);
      return zlib.deflateRawSync(part, {
        level: 9,
        finishFlush: zlib.constants.Z_SYNC_FLUSH,
        ...(index > 0 && { dictionary: before.subarray(-32_768) }),
      });
    });
  }
}
