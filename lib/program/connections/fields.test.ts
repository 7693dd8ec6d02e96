import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { auditLog } from "@/lib/platform/db/schema";
import { listEvents } from "@/lib/program/confirmations/list";
import { replayConfirmation } from "@/lib/program/confirmations/replay";
import { getConnection } from "@/lib/program/connections/connection";
import { createConnection } from "@/lib/program/connections/create";
import { updateOwnNames } from "@/lib/program/connections/update";
import type { ProviderName } from "@/lib/program/providers/registry";
import { confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { connectedTo, okReply } from "@/lib/testing/provider-events/deliver";
import { useService } from "@/lib/testing/service";

useService();

const OWN: [ProviderName, string, string][] = [
  ["adapty", "subscription_started", "subscription_refunded"],
  ["qonversion", "subscription_started", "subscription_refunded"],
  ["purchasely", "SUBSCRIPTION_STARTED", "SUBSCRIPTION_REFUNDED_REVOKED"],
  ["iaphub", "purchase", "refund"],
];

test.each(OWN)("%s's events under names of the owner confirm and reverse", async (name, start, refund) => {
  const { app, connection, send } = await connectedTo(name);
  await app.assign("a");
  const now = Date.now();
  expect(await send({ type: "Erster Kauf", now: now - 3_000 })).toEqual(okReply("ignored", false));
  await updateOwnNames(app.ctx, connection.id, {
    events: ` erster kauf = ${start.toUpperCase()}\r\n\r\nmoney-back = ${refund}`,
  });
  expect(await send({ type: "Erster Kauf", now: now - 2_000 })).toEqual(okReply("confirmed", true));
  expect(await send({ type: "MONEY BACK", now })).toEqual(okReply("reversed", true));
  expect(await app.states()).toEqual({ a: "reversed" });
});

test("an event from before its name was entered is read by that name in a replay", async () => {
  const { app, connection, send } = await connectedTo("adapty", { confirmOn: "paid" });
  await app.assign("a");
  await send({ type: "probe" });
  await updateOwnNames(app.ctx, connection.id, { events: "probe = trial_started" });
  const [event] = (await listEvents(app.ctx)).data;
  expect((await replayConfirmation(app.ctx, event?.id ?? "")).status).toBe("not_paid");
  await updateOwnNames(app.ctx, connection.id, { events: "probe = trial_converted" });
  expect((await replayConfirmation(app.ctx, event?.id ?? "")).status).toBe("confirmed");
});

test("Stripe's user id is looked for under the owner's key first, and then as ever", async () => {
  const { app, connection, send } = await connectedTo("stripe");
  await app.assign("mine");
  await updateOwnNames(app.ctx, connection.id, { userIdKey: " account.id " });
  const body = (text: string) => text.replace('"metadata":{', '"metadata":{"account.id":"mine",');
  expect(await send({ body })).toEqual(okReply("confirmed", true));
  await app.assign("a");
  expect(await send()).toEqual(okReply("confirmed", true));
});

test("names are stored, audited and removed; another app's connection has none of them", async () => {
  const { ctx } = await confirmingApp(database());
  const { id } = await createConnection(ctx, { provider: "adapty" });
  const names = { events: { Kauf: "trial_started" }, userIdKey: null };
  expect(await updateOwnNames(ctx, id, { events: "Kauf = Trial Started" })).toMatchObject({
    ownNames: names,
  });
  expect((await updateOwnNames(ctx, id, { events: " \n" })).ownNames).toBeNull();
  expect((await getConnection(ctx, id)).ownNames).toBeNull();
  const entries = await database()
    .orm.select({ before: auditLog.before, after: auditLog.after })
    .from(auditLog)
    .where(eq(auditLog.action, "connection.names_changed"));
  expect(entries).toEqual(
    expect.arrayContaining([
      { before: {}, after: names },
      { before: names, after: {} },
    ]),
  );
  const other = await confirmingApp(database());
  await expect(updateOwnNames(other.ctx, id, { events: "" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test.each<[ProviderName, string, string]>([
  ["adapty", "events", "Kauf"],
  ["adapty", "events", "Kauf = "],
  ["adapty", "events", " = trial_started"],
  ["adapty", "events", "a = b = trial_started"],
  ["adapty", "events", "Kauf = nothing_known"],
  ["adapty", "events", "Kauf = constructor"],
  ["adapty", "events", "Kauf = trial_started\nKAUF = trial_converted"],
  ["adapty", "events", `${"x".repeat(101)} = trial_started`],
  ["adapty", "events", "a\0b = trial_started"],
  ["adapty", "events", "a\ud800 = trial_started"],
  ["adapty", "events", Array.from({ length: 51 }, (_, at) => `n${at} = trial_started`).join("\n")],
  ["revenuecat", "events", "Kauf = INITIAL_PURCHASE"],
  ["adapty", "userIdKey", "account"],
  ["stripe", "userIdKey", "two words"],
  ["stripe", "userIdKey", "x".repeat(41)],
])("%s: %s %j is refused", async (provider, field, text) => {
  const { ctx } = await confirmingApp(database());
  const { id } = await createConnection(ctx, { provider });
  await expect(updateOwnNames(ctx, id, { [field]: text })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    field,
  });
});
