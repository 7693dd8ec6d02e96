/** Where a file keeps what of a code; -1 for a column that it does not have. */
export interface Columns {
  code: number;
  link: number;
  expires: number;
  status: number;
}

const CODE_HEADER =
  /^((offer|promo|promotion|promotional|redemption|subscription|one[- _]?time|custom)[- _]?)*codes?$/i;
const LINK_HEADER = /^((redemption|redeem|offer|code|promo)[- _]?)*(url|link)s?$/i;
const EXPIRES_HEADER = /^(code[- _]?)?(expir(y|es|ation)|valid[- _]?until|end)([- _]?(date|time|on|at))*$/i;
const STATUS_HEADER = /^(code[- _]?)?(status|state|redeemed|used)$/i;

/** The columns that a header row names, or `undefined` where the row is none. Stores and tables name them in several ways. */
export function readHeader(cells: readonly string[]): Columns | undefined {
  const find = (header: RegExp) => cells.findIndex((cell) => header.test(cell));
  const [code, link] = [find(CODE_HEADER), find(LINK_HEADER)];
  if (code < 0 && link < 0) return undefined;
  return { code, link, expires: find(EXPIRES_HEADER), status: find(STATUS_HEADER) };
}
