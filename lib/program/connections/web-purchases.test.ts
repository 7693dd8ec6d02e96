import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { listEvents } from "@/lib/program/confirmations/list";
import { replayConfirmation } from "@/lib/program/confirmations/replay";
import { createConnection } from "@/lib/program/connections/create";
import { updateWebPurchases } from "@/lib/program/connections/update";
import { confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { connectedApp, okReply } from "@/lib/testing/provider-events/deliver";
import { recorded } from "@/lib/testing/provider-events/recorded";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf } from "@/lib/testing/support";

useService({ TRUSTED_PROXIES: "1" });

const billing = (id: string, name = "initial_purchase", changes = {}) =>
  recorded(name, {
    id,
    app_user_id: id,
    original_app_user_id: id,
    aliases: [],
    store: "RC_BILLING",
    ...changes,
  });

test("a recorded purchase of Web Billing is ignored until the owner counts it, and again afterwards", async () => {
  const { app, connection, send } = await connectedApp();
  await app.assign("ann", "ben", "cleo");
  expect(await send(billing("ann"))).toEqual(okReply("ignored", false));
  const ctx = asTeamMember(app.ctx);
  await updateWebPurchases(ctx, connection.id, true);
  expect(await send(billing("ben"))).toEqual(okReply("confirmed", true));
  const [, ignored] = (await listEvents(app.ctx)).data;
  expect(await replayConfirmation(app.ctx, ignored?.id ?? "")).toMatchObject({ status: "confirmed" });
  await updateWebPurchases(ctx, connection.id, false);
  expect(await send(billing("cleo"))).toEqual(okReply("ignored", false));
  expect(await app.states()).toEqual({ ann: "redeemed", ben: "redeemed", cleo: "code_assigned" });
  const changes = (await auditOf(app.ctx)).filter(
    ({ action }) => action === "connection.web_purchases_changed",
  );
  expect(changes.map(({ before, after }) => [before, after])).toEqual([
    [{ counted: false }, { counted: true }],
    [{ counted: true }, { counted: false }],
  ]);
});

test("a refund on the web reverses the referral that the web purchase confirmed", async () => {
  const { app, connection, send } = await connectedApp();
  await app.assign("ann");
  await updateWebPurchases(app.ctx, connection.id, true);
  const purchase = { original_transaction_id: "web-1", event_timestamp_ms: 1_600_000_000_000 };
  expect(await send(billing("ann", "initial_purchase", purchase))).toEqual(okReply("confirmed", true));
  const refund = { ...purchase, id: "refund", event_timestamp_ms: 1_600_000_001_000 };
  const answer = await send(billing("ann", "cancellation_refund_customer_support", refund));
  expect(answer).toEqual(okReply("reversed", true));
});

test.each(["apple", "stripe", "generic"])("%s has no store to choose", async (provider) => {
  const { ctx } = await confirmingApp(database());
  const { id } = await createConnection(ctx, { provider });
  await expect(updateWebPurchases(ctx, id, true)).rejects.toMatchObject({ code: "CONFLICT" });
});
