import { z } from "zod";
import { StoreError, type StoreErrorKind } from "@/lib/program/stores/store-api";

const errorBody = z.object({
  errors: z.array(z.object({ title: z.string().optional(), detail: z.string().optional() })).min(1),
});

/** Apple's own explanation of an error, on one line. */
function detailOf(text: string): string {
  try {
    const [first] = errorBody.parse(JSON.parse(text)).errors;
    return (first?.detail ?? first?.title ?? "").replace(/\s+/g, " ").trim().slice(0, 300);
  } catch {
    return "";
  }
}

const KEY_REJECTED =
  "Apple rejected the key. It was revoked, or the issuer ID or key ID belongs to another key.";
const KEY_FORBIDDEN =
  "Apple does not allow this with this key. The key needs the role Admin or App Manager, and the latest agreements must be accepted in App Store Connect.";

/** Apple's limits are hourly, and a date from a wrong clock must not make a request wait for months. */
const LONGEST_WAIT_S = 3_600;

/** `Retry-After` in seconds, from a number or a date, at most an hour. */
export function retryAfter(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d{1,7}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(1, Math.ceil(seconds)), LONGEST_WAIT_S) : undefined;
}

/** The error for a response other than success, explained to the app's owner. */
export function responseError(status: number, headers: Headers, text: string): StoreError {
  const detail = detailOf(text);
  const says = detail && ` Apple says: ${detail}`;
  const wait = retryAfter(headers.get("retry-after"));
  const error = (kind: StoreErrorKind, message: string) => new StoreError(kind, message, wait, status);
  if (status === 401) return error("key", KEY_REJECTED);
  if (status === 403) return error("key", `${KEY_FORBIDDEN}${says}`);
  if (status === 429) return error("busy", "Apple's hourly limit is reached.");
  if (status === 404) return error("refused", `Apple could not find this.${says}`);
  if (status >= 400 && status < 500) {
    return error("refused", `Apple rejected the request.${says || " It gave no reason."}`);
  }
  return error("unknown_outcome", "Apple's server reported an error.");
}

/** Network failures before a byte was sent. */
const NOT_SENT = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];

/** The error for a request that got no response. */
export function networkError(error: unknown): StoreError {
  const code = codeOf(error);
  if (code && NOT_SENT.includes(code)) {
    return new StoreError("unreachable", "Apple's server could not be reached.");
  }
  return new StoreError("unknown_outcome", "Apple's server did not respond.");
}

function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof AggregateError) return codeOf(at.errors[0]);
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}
