import type { z } from "zod";
import type { Scope } from "@/lib/contract/scopes";
import { AppError, ERROR_STATUS, type ErrorCode } from "@/lib/errors";
import type { JsonObject, RequestName, ResponseName } from "./schemas";

/** The codes an operation can end with, each with a message it really gives. */
export type Refusals = Partial<Record<ErrorCode, string>>;

/** One thing a caller can do, and everything that can come of it. */
export interface Operation {
  id: string;
  method: "get" | "post";
  /** Below `/api`, parameters in braces. */
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** What the key must be allowed; operations without one take no key. */
  scope?: Scope;
  /** Path and query of a GET. */
  parameters?: z.ZodType;
  /** The body, or the bodies that are told apart. */
  body?: { schemas: readonly RequestName[]; example: JsonObject };
  /** `Idempotency-Key` is read. */
  idempotent?: boolean;
  answer: { schema: ResponseName; description: string; example: JsonObject };
  refusals: Refusals;
  /** A field beside `error` that some refusals have. */
  extra?: { codes: readonly ErrorCode[]; name: string; schema: z.ZodType; description: string };
}

/** The message of a code where no verb has a more exact one. */
const usual = (...codes: ErrorCode[]): Refusals =>
  Object.fromEntries(codes.map((code) => [code, new AppError(code).message]));

/** What the server says to any request, before or behind its route. */
export function anywhere(method: "GET" | "POST"): Refusals {
  return {
    VALIDATION_ERROR: "Send exactly one valid Host header",
    METHOD_NOT_ALLOWED: `Method not allowed, use ${method}, OPTIONS`,
    ...usual("EXPECTATION_FAILED", "HEADERS_TOO_LARGE", "SERVICE_UNAVAILABLE"),
  };
}

/** What a key can be refused with. */
export function withKey(scope: Scope): Refusals {
  return {
    ...usual("UNAUTHORIZED", "INTERNAL_ERROR"),
    FORBIDDEN: `This API key does not have the scope ${scope}`,
    RATE_LIMITED: "The monthly request quota of this workspace is exhausted",
  };
}

/** What a body of JSON can be refused with; `field` is what is missing in an empty one. */
export function withBody(field: string): Refusals {
  return {
    VALIDATION_ERROR: `${field} is required and must be a string`,
    PAYLOAD_TOO_LARGE: "The request body must be at most 16384 bytes",
    ...usual("UNSUPPORTED_MEDIA_TYPE", "REQUEST_TIMEOUT"),
  };
}

/** Codes of an operation by their status, lowest first. */
export function codesByStatus({ refusals }: Operation): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>();
  for (const [code, status] of Object.entries(ERROR_STATUS) as [ErrorCode, number][]) {
    if (refusals[code] === undefined) continue;
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}
