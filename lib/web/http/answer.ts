import { isOutage } from "@/lib/platform/db/outage";
import { AppError, type RateState } from "@/lib/platform/errors";

/** The result of a route's handler, which the frame turns into a `Response`. `body: undefined` sends none. */
export interface RouteAnswer {
  status: number;
  body?: unknown;
  /** The body as it is, in place of JSON; its `Content-Type` is among the headers. */
  text?: string;
  headers?: Record<string, string>;
  /** `Set-Cookie` lines, the only header that may occur several times. */
  cookies?: readonly string[];
}

/** `Retry-After` in seconds while the database is unavailable. */
const OUTAGE_RETRY = 2;

/** Turns any thrown value into an AppError: a database outage is 503, an unexpected error 500. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (isOutage(error)) {
    return new AppError("SERVICE_UNAVAILABLE", undefined, { cause: error, retryAfter: OUTAGE_RETRY });
  }
  return new AppError("INTERNAL_ERROR", undefined, { cause: error });
}

/** `Retry-After` where the error names one. */
export const retryHeaders = ({ retryAfter }: AppError): Record<string, string> =>
  retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) };

/** The language of a body's texts for end users, where it has such texts. */
export const languageHeaders = (language: string | undefined): Record<string, string> =>
  language === undefined ? {} : { "Content-Language": language, Vary: "Accept-Language" };

/** The error envelope of section 7, with headers for the error's retry time, language and replay. */
export function errorAnswer(error: AppError, requestId: string): RouteAnswer {
  const headers = { ...retryHeaders(error), ...languageHeaders(error.language) };
  if (error.replayed) headers["Idempotency-Replayed"] = "true";
  return {
    status: error.status,
    headers,
    body: { error: { code: error.code, message: error.message, request_id: requestId }, ...error.extra },
  };
}

/** The headers of every response below `/api`. */
export function apiHeaders(requestId: string, rate: RateState): Record<string, string> {
  return {
    "Content-Type": "application/json; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Request-Id": requestId,
    "X-RateLimit-Limit": String(rate.limit),
    "X-RateLimit-Remaining": String(rate.remaining),
    "X-RateLimit-Reset": String(rate.reset),
    "Access-Control-Expose-Headers":
      "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Retry-After, Idempotency-Replayed",
    "X-Content-Type-Options": "nosniff",
  };
}
