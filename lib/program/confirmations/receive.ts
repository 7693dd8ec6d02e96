import { sql } from "drizzle-orm";
import type { EventVerdict } from "@/lib/contract/provider";
import { jsonb, sqlFunction } from "@/lib/platform/db/calls";
import type { Db } from "@/lib/platform/db/client";
import { markRounds } from "@/lib/platform/jobs/rounds";
import type { AppliedEvent } from "@/lib/program/confirmations/event";
import { type InboxRow, inboxRow } from "@/lib/program/confirmations/inbox-row";
import type { ProviderEvent } from "@/lib/program/providers/common/adapter";
import type { Context } from "@/lib/tenants/context";

const RECEIVE_CONFIRMATION = sqlFunction("receive_confirmation", {
  app: "uuid",
  event: jsonb<InboxRow>(),
}).returns<AppliedEvent>();

export interface ReceivedConfirmation {
  status: EventVerdict | "duplicate";
  /** Whether the event belongs to a referral of the app. */
  matched: boolean;
  referralId: string | null;
}

/**
 * Section 3.2: stores a provider's event and applies it once, however often it is delivered. Counts and rewards
 * change in the same transaction. An error while applying is stored as `failed` and retried; an outage of the
 * database throws.
 */
export function receiveConfirmation(
  ctx: Context,
  connectionId: string,
  event: ProviderEvent,
  headers?: Headers,
): Promise<ReceivedConfirmation> {
  return receiveRow(ctx.db, ctx.app.id, inboxRow(connectionId, event, headers));
}

/** {@link receiveConfirmation} of an event's row. */
export async function receiveRow(db: Db, appId: string, row: InboxRow): Promise<ReceivedConfirmation> {
  const result = await db.call(RECEIVE_CONFIRMATION, { app: appId, event: row });
  const referralId = result.referral_id ?? null;
  return {
    status: result.verdict as ReceivedConfirmation["status"],
    matched: referralId !== null,
    referralId,
  };
}

/**
 * {@link receiveRow} for a row that was created earlier, for example during an outage of the database. The round that
 * follows changes looks for unmatched events by that time, so their app is marked here.
 */
export async function receiveLate(db: Db, appId: string, row: InboxRow): Promise<void> {
  const { matched } = await receiveRow(db, appId, row);
  if (!matched) await markRounds(db, "checks", sql`select ${appId}::uuid as app_id, now() as at`);
}
