import { isOutage } from "@/lib/db/outage";
import { AppError } from "@/lib/errors";

/** What a handler's work comes to, before it is a `Response`. `body: undefined` sends none. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** `Set-Cookie` lines; the one header that comes several times. */
  cookies?: readonly string[];
}

/** Seconds after which a database that is away is worth another try. */
const OUTAGE_RETRY = 2;

/** Every thrown thing as one of ours: an outage is 503, anything unforeseen an honest 500. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isOutage(error)) {
    return new AppError("SERVICE_UNAVAILABLE", undefined, { cause: error, retryAfter: OUTAGE_RETRY });
  }
  return new AppError("INTERNAL_ERROR", undefined, { cause: error });
}

/** The envelope of section 7, with `Retry-After` where there is something to wait for. */
export function errorAnswer(error: AppError, requestId: string): Answer {
  const headers: Record<string, string> = {};
  if (error.retryAfter !== undefined) headers["Retry-After"] = String(error.retryAfter);
  if (error.replayed) headers["Idempotency-Replayed"] = "true";
  return {
    status: error.status,
    headers,
    body: { error: { code: error.code, message: error.message, request_id: requestId }, ...error.extra },
  };
}
