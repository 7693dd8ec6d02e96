import { singleton } from "@/lib/platform/singleton";

/** A statement that waited too long for its turn and was never sent. */
export class WaitTimeoutError extends Error {
  readonly code = "WAIT_TIMEOUT";

  constructor() {
    super("waited too long for the database");
    this.name = "WaitTimeoutError";
  }
}

/** SQLSTATEs of a server that is unavailable, full, failing over or too slow, and not of an invalid statement. */
const OUTAGE_STATE = /^(08...|53...|57P0[1-5]|57014|58...|25006|25P0[34]|40001|40P01|55P03|XX000)$/;

/** Codes of Node, the driver and our code for a connection that cannot be opened, breaks, or does not answer in time. */
const OUTAGE_CODE = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "WAIT_TIMEOUT",
]);

const refusedConnections = () => singleton("db.refused-connections", () => new WeakSet<Error>());

/**
 * Remembers that a connection could not be opened: whatever the reason (a changed password, an expired certificate, a
 * socket that is gone), no statement was sent.
 */
export function noteUnopened(error: Error): void {
  refusedConnections().add(error);
}

/** SQLSTATE of a row whose key another row has. */
export const UNIQUE_VIOLATION = "23505";

/** Messages of driver errors without a code. */
const OUTAGE_TEXT =
  /timeout exceeded when trying to connect|Connection terminated|Query read timeout|not queryable|Client was closed|Cannot use a pool after/;

/** True if the database is the cause, so that a retry may help. Unwraps the query builder's errors. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  if (
    refusedConnections().has(error) ||
    OUTAGE_STATE.test(code) ||
    OUTAGE_CODE.has(code) ||
    OUTAGE_TEXT.test(error.message)
  )
    return true;
  if (error instanceof AggregateError) return error.errors.some(isOutage);
  return isOutage(error.cause);
}

/** Code and message of a database error, unwrapped from the query builder's error. */
function unwrap(error: unknown): { code: string; message: string } | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, message } = error as Error & { code?: unknown };
  return typeof code === "string" ? { code, message } : unwrap(error.cause);
}

/** The SQLSTATE of a database error. */
export const sqlState = (error: unknown): string | undefined => unwrap(error)?.code;

/** Signs of a server that reads but stores nothing, and the reasons. PostgreSQL has no SQLSTATE for a full quota. */
const STORES_NOTHING = [
  [/^53100|quota exceeded$/i, "its disk is full"],
  [/^25006/, "it is read-only"],
] as const;

/** Milliseconds for which a refusal counts. Rounds and queues try to store something far more often. */
const REFUSAL_COUNTS_MS = 30_000;

const lastRefusal = () => singleton("db.last-refusal", () => ({ reason: "", at: Number.NEGATIVE_INFINITY }));

/** Remembers the failure of a statement if the server reads but stores nothing. */
export function noteFailure(error: unknown): void {
  const { code = "", message = "" } = unwrap(error) ?? {};
  const [, reason] = STORES_NOTHING.find(([sign]) => sign.test(`${code} ${message}`)) ?? [];
  if (reason) Object.assign(lastRefusal(), { reason, at: performance.now() });
}

/** Why the database has just refused to store something for this process; undefined while it stores. */
export function whyNothingIsStored(): string | undefined {
  const { reason, at } = lastRefusal();
  return performance.now() - at < REFUSAL_COUNTS_MS ? reason : undefined;
}

const UNREACHED_CODE = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|WAIT_TIMEOUT)$/;
const UNREACHED_TEXT = /timeout exceeded when trying to connect|Cannot use a pool after/;
const REFUSED_STATE = /^(?!08|40003|57P0[12])(?=\w*\d)[0-9A-Z]{5}$/;

/** True if the statement has certainly changed nothing: the server refused it, or was never reached. */
export function neverRan(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (refusedConnections().has(error)) return true;
  const code = sqlState(error) ?? "";
  return REFUSED_STATE.test(code) || UNREACHED_CODE.test(code) || UNREACHED_TEXT.test(error.message);
}

/**
 * SQLSTATEs after which everything is undone and a single item may be the cause: a deadlock, a lock, a slow
 * statement.
 */
const CAUSED_BY_ONE_ITEM = /^(40001|40P01|55P03|57014)$/;

const MISSING_FUNCTION_TEXT = /^cache lookup failed for function/;

/**
 * True if a migration replaced functions while the statement called them, or if a deadlock ended it: the same statement
 * succeeds when it runs again.
 */
export function wasInterrupted(error: unknown): boolean {
  const state = sqlState(error);
  if (state === "XX000") return error instanceof Error && MISSING_FUNCTION_TEXT.test(error.message);
  return state === "42883" || state === "40P01";
}

/** True if a statement of several items has certainly changed nothing and the server works: each may run alone. */
export function mayRunAgain(error: unknown): boolean {
  return neverRan(error) && (!isOutage(error) || CAUSED_BY_ONE_ITEM.test(sqlState(error) ?? ""));
}
