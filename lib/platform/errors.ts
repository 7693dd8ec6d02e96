/** Section 7 of the specification: every error code and the HTTP status that carries it. */
export const ERROR_STATUS = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  NO_REWARDS_AVAILABLE: 404,
  METACODE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  ALREADY_REDEEMED: 409,
  CAMPAIGN_INACTIVE: 409,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  NO_CODES_AVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/** The public message of a code when the verb has no more specific one. */
const DEFAULT_MESSAGE: Record<ErrorCode, string> = {
  VALIDATION_ERROR: "The request is not valid",
  UNAUTHORIZED: "Invalid or missing API key",
  FORBIDDEN: "This API key does not have permission for this resource",
  NOT_FOUND: "Resource not found",
  NO_REWARDS_AVAILABLE: "No rewards available to claim",
  METACODE_NOT_FOUND: "The metacode is invalid or has expired",
  METHOD_NOT_ALLOWED: "Method not allowed",
  REQUEST_TIMEOUT: "The request took too long to arrive",
  ALREADY_REDEEMED: "This referee has already redeemed a code for this campaign",
  CAMPAIGN_INACTIVE: "This referral campaign is no longer active",
  CONFLICT: "The request conflicts with another one",
  PAYLOAD_TOO_LARGE: "The request body is too large",
  UNSUPPORTED_MEDIA_TYPE: "Send the body as application/json, without Content-Encoding",
  EXPECTATION_FAILED: "The Expect header is not supported",
  RATE_LIMITED: "Rate limit exceeded",
  HEADERS_TOO_LARGE: "The request headers are too large",
  INTERNAL_ERROR: "An unexpected error occurred",
  NO_CODES_AVAILABLE: "No promo codes are available right now, try again later",
  SERVICE_UNAVAILABLE: "The service is temporarily unavailable, try again shortly",
};

/** The numbers of the rate-limit headers (section 8); reset is Unix time in seconds. */
export interface RateState {
  limit: number;
  remaining: number;
  reset: number;
}

export interface ErrorDetails {
  /** The private cause, for the log and never for the caller. */
  cause?: unknown;
  /** Seconds, sent as `Retry-After`. */
  retryAfter?: number;
  /** The limit that refused; its numbers replace the quota's in the headers. */
  rate?: RateState;
  /** Fields placed in the body beside `error`, such as `redemption` on a retry. */
  extra?: Record<string, unknown>;
  /** The language of the texts for end users in `extra`. */
  language?: string;
  /** The request field that is wrong, for forms. */
  field?: string | undefined;
  /** The response was stored under an idempotency key and is repeated. */
  replayed?: boolean;
}

/** The one error type: a code of the table, a public message, a private cause. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly retryAfter: number | undefined;
  readonly rate: RateState | undefined;
  readonly extra: Record<string, unknown> | undefined;
  readonly language: string | undefined;
  readonly field: string | undefined;
  readonly replayed: boolean;

  constructor(code: ErrorCode, message: string = DEFAULT_MESSAGE[code], details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.retryAfter = details.retryAfter;
    this.rate = details.rate;
    this.extra = details.extra;
    this.language = details.language;
    this.field = details.field;
    this.replayed = details.replayed ?? false;
  }

  /** HTTP status of this error's code. */
  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Throws an {@link AppError}; an expression, so that `?? fail("NOT_FOUND")` reads like the table. */
export function fail(code: ErrorCode, message?: string, details?: ErrorDetails): never {
  throw new AppError(code, message, details);
}
