import { z } from "zod";
import { StoreTrouble } from "@/lib/stores/trouble";

const errors = z.object({
  errors: z.array(z.object({ title: z.string().optional(), detail: z.string().optional() })).min(1),
});

/** Apple's own words for an error, as one line. */
function detailOf(text: string): string {
  try {
    const [first] = errors.parse(JSON.parse(text)).errors;
    return (first?.detail ?? first?.title ?? "").replace(/\s+/g, " ").trim().slice(0, 300);
  } catch {
    return "";
  }
}

const KEY_REFUSED =
  "Apple does not take this key (401). It was revoked, or the issuer ID or key ID belongs to another key.";
const KEY_WEAK =
  "Apple does not let this key do that (403). It needs the role Admin or App Manager, and the latest agreements must be accepted in App Store Connect.";

/** `Retry-After` in seconds: a number, or a date. */
export function retryAfter(header: string | null, now = Date.now()): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d{1,7}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000;
  return Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : undefined;
}

/** What an answer other than success means, in words for the app's owner. */
export function refusalOf(status: number, headers: Headers, text: string): StoreTrouble {
  const detail = detailOf(text);
  const says = detail && ` Apple says: ${detail}`;
  if (status === 401) return new StoreTrouble("key", KEY_REFUSED);
  if (status === 403) return new StoreTrouble("key", `${KEY_WEAK}${says}`);
  if (status === 429) {
    return new StoreTrouble(
      "busy",
      "Apple's hourly limit is reached.",
      retryAfter(headers.get("retry-after")),
    );
  }
  if (status === 404) return new StoreTrouble("refused", `Apple does not know it (404).${says}`);
  if (status >= 400 && status < 500)
    return new StoreTrouble("refused", `Apple refuses it (${status}).${says}`);
  return new StoreTrouble(
    "unsure",
    `Apple's server has a fault (${status}).`,
    retryAfter(headers.get("retry-after")),
  );
}

/** Faults of the network before a byte was sent. */
const NOT_SENT = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
];

/** What a request that got no answer means. */
export function silenceOf(error: unknown): StoreTrouble {
  const code = codeOf(error);
  if (code && NOT_SENT.includes(code)) {
    return new StoreTrouble("unreachable", "Apple's server cannot be reached from here.");
  }
  return new StoreTrouble("unsure", "Apple's server did not answer.");
}

function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof AggregateError) return codeOf(at.errors[0]);
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}
