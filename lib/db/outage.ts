/** SQLSTATE classes and codes of a server that is away, full, failing over or too slow; not of a wrong statement. */
const OUTAGE_STATE = /^(08...|53...|57P0[1-5]|57014|58...|25006|25P03|40001|40P01|55P03|XX000)$/;

/** What Node and the driver say when a connection cannot be made, breaks, or does not answer in time. */
const OUTAGE_CODE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);
const OUTAGE_TEXT =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|Client was closed|Cannot use a pool after|waited too long in a line/;

/** Is the database to blame, so that trying again may help? Looks through the causes that the query builder wraps. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (OUTAGE_STATE.test(code) || OUTAGE_CODE.has(code) || OUTAGE_TEXT.test(error.message)) return true;
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  return isOutage(error.cause);
}

/** The SQLSTATE of a database error, also through the query builder's wrapper. */
export function sqlState(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ("code" in error && typeof error.code === "string") return error.code;
  return sqlState(error.cause);
}

const UNREACHED_CODE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/;
const REFUSED_STATE = /^(?!08|40003|57P0[12])(?=\w*\d)[0-9A-Z]{5}$/;

/** The statement has surely changed nothing: the server refused it, or was never reached. */
export function neverRan(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = sqlState(error) ?? "";
  if (REFUSED_STATE.test(code) || UNREACHED_CODE.test(code)) return true;
  return /timeout exceeded when trying to connect|Cannot use a pool after|waited too long in a line/.test(
    error.message,
  );
}
