type Range = [first: number, last: number];

function wideRanges(table: Buffer): Range[] {
  return Array.from({ length: table.readUInt32BE(12) }, (_, index) => [
    table.readUInt32BE(16 + index * 12),
    table.readUInt32BE(20 + index * 12),
  ]);
}

/** The last segment is the end mark 0xFFFF and no character. */
function shortRanges(table: Buffer): Range[] {
  const size = table.readUInt16BE(6);
  return Array.from({ length: size / 2 }, (_, index): Range => {
    const at = 14 + index * 2;
    return [table.readUInt16BE(at + 2 + size), table.readUInt16BE(at)];
  }).filter(([first]) => first !== 0xffff);
}

/**
 * The code points in a font's `cmap` table, by its maps of format 4 and 12, which between them every font of today has.
 */
export function coveredBy(cmap: Buffer): number[] {
  const covered: number[] = [];
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + index * 8));
    const format = table.readUInt16BE(0);
    const ranges = format === 12 ? wideRanges(table) : format === 4 ? shortRanges(table) : [];
    for (const [first, last] of ranges) for (let code = first; code <= last; code++) covered.push(code);
  }
  return covered;
}
