import { uuidv7 } from "uuidv7";
import { recordAudit } from "@/lib/audit/record";
import type { Context } from "@/lib/context";
import { fail } from "@/lib/errors";
import { type Received, receiveConfirmation } from "./receive";

/** Stands where the id of a connection would: the event came from the dashboard. */
const SIMULATION = "00000000-0000-0000-0000-000000000000";

/**
 * What a purchase (`confirm`) or a refund (`reverse`) of this person would do, done in a sandbox by the very way that
 * a provider's event takes. Throws CONFLICT in a live app, where it would be a reward for nothing.
 */
export async function simulateConfirmation(
  ctx: Context,
  { refereeUid, kind }: { refereeUid: string; kind: "confirm" | "reverse" },
): Promise<Received> {
  if (!ctx.app.sandbox) fail("CONFLICT", "Purchases can be simulated in a sandbox only");
  const type = kind === "confirm" ? "SIMULATED_PURCHASE" : "SIMULATED_REFUND";
  const received = await receiveConfirmation(ctx, SIMULATION, {
    eventId: uuidv7(),
    type,
    uids: [refereeUid],
    confirmation: { kind, paid: true, renewal: false, sandbox: true },
    ...{ occurredAt: Date.now(), purchaseId: null, links: [] },
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
