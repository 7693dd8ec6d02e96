import { uuidv7 } from "uuidv7";
import { storableEventId, storableJson, storableType, storableUids } from "@/lib/confirmations/storable";
import type { Verdict, VerdictRow } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import { sqlState } from "@/lib/db/outage";
import type { ProviderEvent } from "@/lib/providers/adapter";

/** Raised by the SQL function where a twin of the delivery was faster; everything it did is undone. */
const TWIN = "MC200";

export interface Received {
  status: Verdict | "duplicate";
  /** Whether the event belongs to a referral of the app. */
  matched: boolean;
  referralId: string | null;
}

/**
 * Section 3.2: keeps one event of a provider and does what it means, once however often it is delivered. Counts and
 * rewards change in the same transaction. Throws what the database throws; the provider then tries again.
 */
export async function receiveConfirmation(
  ctx: Context,
  connectionId: string,
  event: ProviderEvent,
): Promise<Received> {
  const values = [
    ctx.app.id,
    connectionId,
    uuidv7(),
    storableEventId(event.eventId),
    storableType(event.type),
    storableUids(event.uids),
    JSON.stringify(event.confirmation),
    JSON.stringify(storableJson(event.payload)),
  ];
  const row = await callOnce(ctx, values);
  const referralId = row.referral_id ?? null;
  return { status: row.verdict as Received["status"], matched: referralId !== null, referralId };
}

/** The second call finds what the twin has written and says so. */
async function callOnce(ctx: Context, values: readonly unknown[]): Promise<VerdictRow> {
  try {
    return await ctx.db.call<VerdictRow>("receive_confirmation", values);
  } catch (error) {
    if (sqlState(error) !== TWIN) throw error;
    return ctx.db.call<VerdictRow>("receive_confirmation", values);
  }
}
