export type Platform = "ios" | "android";

/**
 * What an attempt came to. `code`: the referee holds one. `taken`: told that there is one, without being shown it.
 * `empty`: no code left. `busy`: a twin still runs. `unknown`: no answer or an outage, so it may have happened or not.
 * `fault`: an answer that no outage excuses.
 */
export type Verdict = "code" | "taken" | "empty" | "busy" | "unknown" | "fault";

/** One request; times in milliseconds of one clock. `status` 0: the connection broke. */
export interface Attempt {
  referee: string;
  platform: Platform;
  keyed: boolean;
  invoked: number;
  returned: number;
  status: number;
  verdict: Verdict;
  code?: string;
  /** The code came as the answer to an earlier attempt. */
  again?: boolean;
}

/** What the database holds when all is over. */
export interface Final {
  /** Codes that are not free, with whom they are with. */
  codes: { code: string; referee: string; platform: Platform }[];
  /** Referees that have a referral, with its code. */
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

/** Reads an answer of `/api/referee-redeem`. */
export function readAnswer(
  status: number,
  headers: Record<string, unknown>,
  text: string,
): Pick<Attempt, "status" | "verdict" | "code" | "again"> {
  const body = parse(text);
  const error = body.error?.code;
  const replayed = headers["idempotency-replayed"] === "true";
  if (status === 200 && body.code) return { status, verdict: "code", code: body.code, again: replayed };
  if (status === 409 && error === "ALREADY_REDEEMED") {
    const code = body.redemption?.code;
    return code ? { status, verdict: "code", code, again: true } : { status, verdict: "taken" };
  }
  if (status === 409 && error === "CONFLICT") return { status, verdict: "busy" };
  if (status === 503 && error === "NO_CODES_AVAILABLE") return { status, verdict: "empty" };
  const excused = status === 503 && error === "SERVICE_UNAVAILABLE" && Number(headers["retry-after"]) > 0;
  return { status, verdict: status === 0 || excused ? "unknown" : "fault" };
}
