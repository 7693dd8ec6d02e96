import type { SampleKind } from "@/lib/contract/provider";
import { databaseNow } from "@/lib/platform/db/chunks";
import { fail } from "@/lib/platform/errors";
import { type ReceivedConfirmation, receiveConfirmation } from "@/lib/program/confirmations/receive";
import { connectionSubject, getConnection } from "@/lib/program/connections/connection";
import { findConnection } from "@/lib/program/connections/find";
import { provenDelivery } from "@/lib/program/connections/prove";
import { PROVIDERS } from "@/lib/program/providers/registry";
import { recordAudit } from "@/lib/tenants/audit/record";
import type { Context } from "@/lib/tenants/context";

/**
 * Sends a test event along the path of a real delivery: proof, adapter, inbox. Providers without a secret skip the
 * proof, because only they can sign. Throws CONFLICT in a live app, and if the connection is disabled or has no
 * secret.
 */
export async function sendSampleEvent(
  ctx: Context,
  { connectionId, uid, kind }: { connectionId: string; uid: string; kind: SampleKind },
): Promise<ReceivedConfirmation> {
  if (!ctx.app.sandbox) fail("CONFLICT", "Test events can be sent in a sandbox app only");
  const connection = await getConnection(ctx, connectionId);
  const record = await findConnection(ctx.db, connection.provider, connection.id);
  if (!record) return fail("CONFLICT", "Enable the connection first");
  if (connection.waiting) fail("CONFLICT", "Enter the provider's secret first");
  const { adapter } = PROVIDERS[connection.provider];
  const { secret, signingSecret, ownNames, webPurchases } = record;
  const sent = adapter.sample({ kind, uid, secret, signingSecret, now: databaseNow() });
  if (adapter.secret.from !== "none") await provenDelivery(record, sent);
  const received = await receiveConfirmation(
    ctx,
    record.id,
    adapter.read({ ...sent, ownNames, webPurchases }),
    sent.headers,
  );
  await recordAudit(ctx.db, ctx, {
    action: "connection.tested",
    ...connectionSubject(connection),
    after: { kind, status: received.status },
  });
  return received;
}
