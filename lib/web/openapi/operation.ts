import type { z } from "zod";
import type { Scope } from "@/lib/contract/api-key";
import { AppError, ERROR_STATUS, type ErrorCode } from "@/lib/platform/errors";
import type { JsonObject, RequestName, ResponseName } from "./schemas";

/** The error codes of an operation, each with a real message. */
type OperationRefusals = Partial<Record<ErrorCode, string>>;

/** One operation of the API, with all of its responses. */
export interface Operation {
  id: string;
  method: "get" | "post";
  /** Below `/api`, parameters in braces. */
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** The scope that the key needs; operations without one take no key. */
  scope?: Scope;
  /** Path and query of a GET. */
  parameters?: z.ZodType;
  /** The schema of the body, or several of which one must match. */
  body?: { schemas: readonly RequestName[]; example: JsonObject };
  /** `Idempotency-Key` is read. */
  idempotent?: boolean;
  answer: { schema: ResponseName; description: string; example: JsonObject };
  refusals: OperationRefusals;
  /** A field beside `error` in some error bodies. */
  extra?: { codes: readonly ErrorCode[]; name: string; schema: z.ZodType; description: string };
}

/** The default messages of codes for which no verb has a more specific one. */
const defaultMessages = (...codes: ErrorCode[]): OperationRefusals =>
  Object.fromEntries(codes.map((code) => [code, new AppError(code).message]));

/** The errors that the server returns for any request, whatever its route. */
export function serverRefusals(method: "GET" | "POST"): OperationRefusals {
  return {
    VALIDATION_ERROR: "Send exactly one valid Host header",
    METHOD_NOT_ALLOWED: `Method not allowed, use ${method}, OPTIONS`,
    ...defaultMessages("EXPECTATION_FAILED", "HEADERS_TOO_LARGE", "SERVICE_UNAVAILABLE"),
  };
}

/** The errors of a request with an API key. */
export function keyRefusals(scope: Scope): OperationRefusals {
  return {
    ...defaultMessages("UNAUTHORIZED", "INTERNAL_ERROR"),
    FORBIDDEN: `This API key does not have the scope ${scope}`,
    RATE_LIMITED:
      "The monthly request quota of this workspace is exhausted; it resets on the 1st at 00:00 UTC",
  };
}

/** The errors of a JSON body; `field` is its first required field. */
export function bodyRefusals(field: string): OperationRefusals {
  return {
    VALIDATION_ERROR: `${field} is required and must be a string`,
    PAYLOAD_TOO_LARGE: "The request body must be at most 16384 bytes",
    ...defaultMessages("UNSUPPORTED_MEDIA_TYPE", "REQUEST_TIMEOUT"),
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
