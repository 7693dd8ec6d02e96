import { uuidv7 } from "uuidv7";
import { NIL_ID } from "@/lib/platform/db/index-ranges";
import { fail } from "@/lib/platform/errors";
import { type ReceivedConfirmation, receiveConfirmation } from "@/lib/program/confirmations/receive";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

/**
 * Simulates a purchase (`confirm`) or a refund (`reverse`) of a person in a sandbox, on the path of a provider's event.
 * Throws CONFLICT in a live app, where it would earn a reward without a purchase.
 */
export async function simulateConfirmation(
  ctx: Context,
  { refereeUid, kind }: { refereeUid: string; kind: "confirm" | "reverse" },
): Promise<ReceivedConfirmation> {
  if (!ctx.app.sandbox) fail("CONFLICT", "Purchases can be simulated only in a sandbox app");
  const type = kind === "confirm" ? "SIMULATED_PURCHASE" : "SIMULATED_REFUND";
  // No connection received it.
  const received = await receiveConfirmation(ctx, NIL_ID, {
    eventId: uuidv7(),
    type,
    uids: [refereeUid],
    confirmation: { kind, paid: true, renewal: false, sandbox: true },
    occurredAt: Date.now(),
    purchaseId: null,
    links: [],
    payload: { type, app_user_id: refereeUid, simulated: true },
  });
  await recordAudit(ctx.db, ctx, {
    action: "confirmation.simulated",
    subject: "confirmation",
    subjectId: received.referralId ?? "",
    after: { kind, status: received.status },
  });
  return received;
}
