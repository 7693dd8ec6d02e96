import { type InboxRow, inboxRow } from "@/lib/confirmations/inbox-row";
import type { Verdict, VerdictRow } from "@/lib/confirmations/verdict";
import type { Context } from "@/lib/context";
import type { Db } from "@/lib/db/client";
import type { ProviderEvent } from "@/lib/providers/adapter";

export interface Received {
  status: Verdict | "duplicate";
  /** Whether the event belongs to a referral of the app. */
  matched: boolean;
  referralId: string | null;
}

/**
 * Section 3.2: keeps one event of a provider and does what it means, once however often it is delivered. Counts and
 * rewards change in the same transaction. What goes wrong in judging it is kept with the event as `failed`, and tried
 * again by itself; where the database is away this throws what the database throws.
 */
export function receiveConfirmation(
  ctx: Context,
  connectionId: string,
  event: ProviderEvent,
  headers?: Headers,
): Promise<Received> {
  return receiveRow(ctx.db, ctx.app.id, inboxRow(connectionId, event, headers));
}

/** The same for a row that was made before, such as while the database was away. */
export async function receiveRow(db: Db, appId: string, row: InboxRow): Promise<Received> {
  const result = await db.call<VerdictRow>("receive_confirmation", [appId, JSON.stringify(row)]);
  const referralId = result.referral_id ?? null;
  return { status: result.verdict as Received["status"], matched: referralId !== null, referralId };
}
