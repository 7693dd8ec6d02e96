/** Where a file keeps the code and the link; -1 for a column that it does not have. */
export interface Columns {
  code: number;
  link: number;
}

const CODE_HEADER = /^((offer|promo|promotion|redemption|subscription|one[- _]?time|custom)[- _]?)*codes?$/i;
const LINK_HEADER = /^((redemption|redeem|offer|code|promo)[- _]?)*(url|link)s?$/i;

/** The columns that a header row names, or `undefined` where the row is none. Stores name them in several ways. */
export function readHeader(cells: readonly string[]): Columns | undefined {
  const code = cells.findIndex((cell) => CODE_HEADER.test(cell));
  const link = cells.findIndex((cell) => LINK_HEADER.test(cell));
  return code < 0 && link < 0 ? undefined : { code, link };
}
