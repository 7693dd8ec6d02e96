import { uuidv7 } from "uuidv7";
import type { Context } from "@/lib/context";
import type { RedeemInput } from "@/lib/contract/redeem";
import type { Db } from "@/lib/db/client";
import { Line } from "@/lib/db/line";
import { callOnce } from "@/lib/idempotency/call";
import type { Idempotency } from "@/lib/idempotency/key";
import { pseudonymIn } from "@/lib/people/pseudonym";
import { shared } from "@/lib/shared";
import type { Redeemed } from "./present";

export interface RedeemRequest extends RedeemInput {
  idempotency?: Idempotency | undefined;
}

/** What the SQL returns of one redeem: an error code of section 7, or OK with what the answer needs. */
export type RedeemResult =
  | ({ verdict: "OK"; replayed?: true } & Redeemed)
  | { verdict: "ALREADY_REDEEMED"; replayed?: true; redemption: Redeemed | null }
  | {
      verdict: "CONFLICT";
      replayed?: true;
      reason: "self_referral" | "referrer_daily_cap" | "idempotency_key_reused";
    }
  | { verdict: "METACODE_NOT_FOUND" | "CAMPAIGN_INACTIVE" | "NO_CODES_AVAILABLE"; replayed?: true };

interface Asked {
  ctx: Context;
  request: RedeemRequest;
  referralId: string;
}

/** A line per app: its statements need one shard, and no tenant waits for another. */
const lines = () => shared("redeem-lines", () => new WeakMap<Db, Map<string, Line<Asked, RedeemResult>>>());

/**
 * Redeems in one round trip; where redeems of the app are under way, in one with the others that wait for them. Who is
 * still to be counted goes alone, because the quota's row may be locked for longer, and the request be refused.
 */
export function redeemInLine(ctx: Context, request: RedeemRequest): Promise<RedeemResult> {
  const asked = { ctx, request, referralId: uuidv7() };
  const [, , units] = ctx.meter.statement();
  return units > 0 ? alone(asked) : lineOf(ctx.db, ctx.app.id).ask(asked);
}

function lineOf(db: Db, appId: string): Line<Asked, RedeemResult> {
  const known = lines().get(db);
  const all = known ?? new Map<string, Line<Asked, RedeemResult>>();
  if (!known) lines().set(db, all);
  let line = all.get(appId);
  if (!line) {
    const emptied = () => all.delete(appId);
    line = new Line({ alone, together: (asked) => together(db, appId, asked), marks, emptied });
    all.set(appId, line);
  }
  return line;
}

/** The referee first: it is the row that two transactions may both want. */
function marks({ request }: Asked): [string, ...string[]] {
  const { refereeUid, clickId, idempotency } = request;
  const found: [string, ...string[]] = [`referee ${refereeUid}`];
  if (clickId) found.push(`click ${clickId}`);
  if (idempotency) found.push(`key ${idempotency.key}`);
  return found;
}

/** One request's arguments of both functions, in their order. */
function argumentsOf({ ctx, request, referralId }: Asked): unknown[] {
  const { metacode, platform, refereeUid, clickId, idempotency } = request;
  return [
    metacode,
    platform,
    refereeUid,
    referralId,
    clickId ?? null,
    pseudonymIn(ctx.app.id, refereeUid),
    idempotency?.key ?? null,
    idempotency?.hash ?? null,
  ];
}

const alone = (asked: Asked): Promise<RedeemResult> =>
  callOnce(asked.ctx, "redeem_metacode", [asked.ctx.app.id, ...argumentsOf(asked)]);

async function together(
  db: Db,
  appId: string,
  asked: readonly Asked[],
): Promise<(RedeemResult | undefined)[]> {
  const rows = asked.map(argumentsOf);
  const columns = rows[0]?.map((_, column) => rows.map((row) => row[column])) ?? [];
  const results = await db.call<(RedeemResult | null)[]>("redeem_together", [appId, ...columns]);
  return results.map((result) => result ?? undefined);
}
