import * as zlib from "node:zlib";

const TABLE = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** CRC-32 in JavaScript, for versions of Node without it. */
export function crc32WithTable(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** CRC-32 of bytes. Node's own is ten times as fast, but some builds of Node lack it. */
export function crc32(bytes: Uint8Array): number {
  const { crc32: native } = zlib as { crc32?: (data: Uint8Array) => number };
  return native ? native(bytes) : crc32WithTable(bytes);
}
