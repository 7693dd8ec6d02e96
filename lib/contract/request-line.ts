import { z } from "zod";
import { listCursor, uuidIn } from "./fields";

/** A request as the dashboard lists it: never a key, a code or a body. */
export interface RequestLine {
  id: string;
  /** The key, or the connection of a refused delivery. */
  keyId: string;
  method: string;
  path: string;
  status: number;
  errorCode: string | null;
  /** The public message of the refusal, as it was sent to the caller. */
  message: string | null;
  /** The person whom it named, while that is stored. */
  uid: string | null;
  /** Microseconds until the response. */
  micros: number;
  at: Date;
}

/** Status classes by name: answered, refused (4xx), failed (5xx). */
export const OUTCOMES = ["answered", "refused", "failed"] as const;

/** Endpoints whose requests are listed, by the start of the path after `/api/`. */
export const LOGGED_ENDPOINTS = [
  "referrer",
  "referrer-claim",
  "referee-redeem",
  "webhooks",
  "providers",
] as const;

/** The periods that the list can be limited to. */
export const REQUEST_PERIODS = ["15m", "1h", "24h"] as const;

const idWithin = z.string().transform((text) => uuidIn(text) ?? text.trim().slice(0, 100));

/** The filters of the request log, from an address bar. An invalid value counts as absent. */
export const requestFilters = z.object({
  outcome: z.enum(OUTCOMES).optional().catch(undefined),
  code: z
    .string()
    .regex(/^[A-Z_]{1,40}$/)
    .optional()
    .catch(undefined),
  endpoint: z.enum(LOGGED_ENDPOINTS).optional().catch(undefined),
  key: z.uuid().optional().catch(undefined),
  /** The request id, from the header `X-Request-Id` or the body of an error, also within the text that was pasted. */
  id: idWithin.optional().catch(undefined),
  /** A period, or a day (UTC). */
  time: z
    .union([z.enum(REQUEST_PERIODS), z.iso.date()])
    .optional()
    .catch(undefined),
  cursor: listCursor,
});

export type RequestFilters = z.output<typeof requestFilters>;
