import type { Platform } from "@/lib/contract/fields";

/**
 * The outcome of an attempt. `code`: the response has the referee's code. `taken`: the referee has a code, which is
 * not shown. `empty`: no code left. `busy`: the same request still runs. `unknown`: no response or an outage, so
 * the redeem may or may not have happened. `fault`: a response that no outage explains.
 */
export type Outcome = "code" | "taken" | "empty" | "busy" | "unknown" | "fault";

/** One request; times in milliseconds of one clock. `status` 0: the connection broke. */
export interface RedeemAttempt {
  referee: string;
  platform: Platform;
  keyed: boolean;
  invoked: number;
  returned: number;
  status: number;
  outcome: Outcome;
  code?: string;
  /** The code was the result of an earlier attempt. */
  again?: boolean;
}

/** The contents of the database at the end. */
export interface Final {
  /** The codes that are not free, with their referees. */
  codes: { code: string; referee: string; platform: Platform }[];
  /** The referees that have a referral, with its code. */
  referrals: { referee: string; code: string | null }[];
  poolSize: Record<Platform, number>;
  quotaUsed: number;
}

interface Body {
  code?: string;
  error?: { code?: string };
  redemption?: { code?: string };
}

function parse(text: string): Body {
  try {
    return JSON.parse(text) as Body;
  } catch {
    return {};
  }
}

/** Reads a response of `/api/referee-redeem`. */
export function readRedeemAnswer(
  status: number,
  headers: Record<string, unknown>,
  text: string,
): Pick<RedeemAttempt, "status" | "outcome" | "code" | "again"> {
  const body = parse(text);
  const error = body.error?.code;
  const replayed = headers["idempotency-replayed"] === "true";
  if (status === 200 && body.code) return { status, outcome: "code", code: body.code, again: replayed };
  if (status === 409 && error === "ALREADY_REDEEMED") {
    const code = body.redemption?.code;
    return code ? { status, outcome: "code", code, again: true } : { status, outcome: "taken" };
  }
  if (status === 409 && error === "CONFLICT") return { status, outcome: "busy" };
  if (status === 503 && error === "NO_CODES_AVAILABLE") return { status, outcome: "empty" };
  const excused = status === 503 && error === "SERVICE_UNAVAILABLE" && Number(headers["retry-after"]) > 0;
  return { status, outcome: status === 0 || excused ? "unknown" : "fault" };
}
