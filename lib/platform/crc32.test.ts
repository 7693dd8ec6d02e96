import { crc32 as zlibCrc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { crc32, crc32WithTable } from "./crc32";

test("both ways compute the CRC-32 that everything else computes", () => {
  expect(crc32WithTable(Buffer.from("123456789"))).toBe(0xcbf43926);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(crc32WithTable(bytes)).toBe(zlibCrc32(bytes));
      expect(crc32(bytes)).toBe(zlibCrc32(bytes));
    }),
  );
});
