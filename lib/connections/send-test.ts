import { recordAudit } from "@/lib/audit/record";
import { type Received, receiveConfirmation } from "@/lib/confirmations/receive";
import { connectionSubject } from "@/lib/connections/connection";
import { findConnection } from "@/lib/connections/find";
import { getConnection } from "@/lib/connections/list";
import { provenDelivery } from "@/lib/connections/prove";
import type { Context } from "@/lib/context";
import type { TestKind } from "@/lib/contract/provider";
import { fail } from "@/lib/errors";
import { PROVIDERS } from "@/lib/providers/registry";

/**
 * Makes up an event as the provider would send it and puts it through the connection's own door: its proof, the
 * adapter, the inbox. Only the proof of a provider without a secret is left out, since nobody else can sign for it.
 * Throws CONFLICT in a live app, for a connection that is switched off, and for one that waits for its secret.
 */
export async function sendTestEvent(
  ctx: Context,
  { connectionId, uid, kind }: { connectionId: string; uid: string; kind: TestKind },
): Promise<Received> {
  if (!ctx.app.sandbox) fail("CONFLICT", "Test events can be sent in a sandbox app only");
  const connection = await getConnection(ctx, connectionId);
  const record = await findConnection(ctx.db, connection.provider, connection.id);
  if (!record) return fail("CONFLICT", "Switch the connection on first");
  if (connection.waiting) fail("CONFLICT", "Enter the provider's secret first");
  const { adapter } = PROVIDERS[connection.provider];
  const { secret, signingSecret, ownNames } = record;
  const sent = adapter.sample({ kind, uid, secret, signingSecret, now: Date.now() });
  if (adapter.secret.from !== "nobody") await provenDelivery(record, sent);
  const received = await receiveConfirmation(
    ctx,
    record.id,
    adapter.read({ ...sent, ownNames }),
    sent.headers,
  );
  await recordAudit(ctx.db, ctx, {
    action: "connection.tested",
    ...connectionSubject(connection),
    after: { kind, status: received.status },
  });
  return received;
}
