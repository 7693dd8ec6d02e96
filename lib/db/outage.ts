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
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|Client was closed|Cannot use a pool after/;

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
