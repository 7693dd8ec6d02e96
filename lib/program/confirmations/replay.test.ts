import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { auditLog, campaigns, providerEvents } from "@/lib/platform/db/schema";
import { getEvent } from "@/lib/program/confirmations/event";
import { listEvents, listUnmatched } from "@/lib/program/confirmations/list";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { replayConfirmation } from "@/lib/program/confirmations/replay";
import { dismissConfirmation, restoreConfirmation } from "@/lib/program/confirmations/resolve";
import type { Context } from "@/lib/tenants/context";
import { blockedBackends } from "@/lib/testing/database/locks";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { connectedApp } from "@/lib/testing/provider-events/deliver";
import { recorded } from "@/lib/testing/provider-events/recorded";
import { useService } from "@/lib/testing/service";

useService({ TRUSTED_PROXIES: "1" });

const missing = expect.objectContaining({ code: "NOT_FOUND" });

const newest = async (ctx: Context) => (await listEvents(ctx)).data[0]?.id ?? "";

async function audited({ app }: Context): Promise<string[]> {
  const rows = await database().orm.select().from(auditLog).where(eq(auditLog.appId, app.id));
  return rows.map(({ action }) => action).filter((action) => action.startsWith("event."));
}

const purchase = (uid: string, changes = {}) =>
  recorded("initial_purchase", {
    id: uuidv7(),
    app_user_id: uid,
    original_app_user_id: uid,
    aliases: [],
    ...changes,
  });

describe("an unmatched event", () => {
  test("is applied by a replay once the person has a code, exactly once", async () => {
    const { app, send } = await connectedApp({ threshold: 1 });
    await send(purchase("late"));
    const id = await newest(app.ctx);
    expect(await replayConfirmation(app.ctx, id)).toEqual({
      status: "unmatched",
      referralId: null,
      applied: true,
    });
    await app.assign("late");
    const tries = await Promise.all(Array.from({ length: 6 }, () => replayConfirmation(app.ctx, id)));
    expect(tries.filter(({ applied }) => applied)).toHaveLength(1);
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set(["confirmed"]));
    expect(await app.counts()).toEqual({ confirmed: 1, earned: 1, rewards: 1 });
    expect(await audited(app.ctx)).toEqual(["event.replayed", "event.replayed"]);
    expect((await listUnmatched(app.ctx)).data).toEqual([]);
  });

  test("may be dismissed and put back, and cannot be linked meanwhile", async () => {
    const { app, send } = await connectedApp();
    await send(purchase("stranger"));
    const id = await newest(app.ctx);
    await dismissConfirmation(app.ctx, id);
    await expect(dismissConfirmation(app.ctx, id)).rejects.toThrow(missing);
    expect((await listUnmatched(app.ctx)).data).toEqual([]);
    expect((await listUnmatched(app.ctx, { verdict: "dismissed" })).data).toMatchObject([{ id }]);
    await restoreConfirmation(app.ctx, id);
    expect((await listUnmatched(app.ctx)).data).toMatchObject([{ id, verdict: "unmatched" }]);
    expect(await audited(app.ctx)).toEqual(["event.dismissed", "event.returned"]);
  });
});

test("two replays at the same time take effect once", async () => {
  const { app, send } = await connectedApp();
  await send(purchase("late"));
  const id = await newest(app.ctx);
  await app.assign("late");
  let both: Promise<{ status: string; applied: boolean }[]> = Promise.resolve([]);
  await database().transaction(async (db) => {
    await db.orm.execute(sql`select 1 from referrals where app_id = ${app.ctx.app.id} for update`);
    both = Promise.all([replayConfirmation(app.ctx, id), replayConfirmation(app.ctx, id)]);
    await blockedBackends(2);
  });
  expect((await both).map(({ status, applied }) => `${status} ${applied}`).sort()).toEqual([
    "confirmed false",
    "confirmed true",
  ]);
  expect(await getEvent(app.ctx, id)).toMatchObject({ verdict: "confirmed" });
});

test.each(["confirmed", "reversed", "already_confirmed"])(
  "replaying an event that is %s changes nothing",
  async (wanted) => {
    const { app, send } = await connectedApp({ threshold: 1 });
    await app.assign("a");
    await send(purchase("a"));
    const refund = { type: "CANCELLATION", cancel_reason: "CUSTOMER_SUPPORT" };
    if (wanted === "reversed") await send(purchase("a", refund));
    if (wanted === "already_confirmed") await send(purchase("a"));
    const [event] = (await listEvents(app.ctx)).data;
    const before = await rowsOfApp(app.ctx.app.id);
    expect(await replayConfirmation(app.ctx, event?.id ?? "")).toEqual({
      status: wanted,
      referralId: event?.referralId,
      applied: false,
    });
    expect(await rowsOfApp(app.ctx.app.id)).toEqual(before);
  },
);

test("an event refused by a rule is applied after the rule has changed", async () => {
  const { app, send } = await connectedApp({ confirmOn: "paid" });
  await app.assign("a");
  await send(purchase("a", { period_type: "TRIAL" }));
  const id = await newest(app.ctx);
  expect(await getEvent(app.ctx, id)).toMatchObject({ verdict: "not_paid" });
  await database()
    .orm.update(campaigns)
    .set({ confirmOn: "start" })
    .where(eq(campaigns.appId, app.ctx.app.id));
  expect(await replayConfirmation(app.ctx, id)).toMatchObject({ status: "confirmed", applied: true });
  expect(await app.states()).toEqual({ a: "redeemed" });
});

describe("a replay reads the event again", () => {
  async function misread(payload: unknown) {
    const { app, connection } = await connectedApp();
    await app.assign("a");
    await receiveConfirmation(app.ctx, connection.id, {
      eventId: uuidv7(),
      type: "INITIAL_PURCHASE",
      uids: [],
      payload,
      occurredAt: null,
      purchaseId: null,
      links: [],
      confirmation: { kind: "ignore", paid: false, renewal: false, sandbox: false },
    });
    return { app, id: await newest(app.ctx) };
  }

  test("by the adapter of today", async () => {
    const { app, id } = await misread(purchase("a"));
    expect(await replayConfirmation(app.ctx, id)).toMatchObject({ status: "confirmed" });
    expect(await getEvent(app.ctx, id)).toMatchObject({ uids: ["a"], confirmation: { kind: "confirm" } });
  });

  test("but by its first reading if its payload was cut", async () => {
    const { app, id } = await misread({ cut: true });
    expect(await replayConfirmation(app.ctx, id)).toMatchObject({ status: "ignored", applied: true });
  });
});

test("an app cannot replay, dismiss or read another app's event", async () => {
  const { app, send } = await connectedApp();
  const other = await confirmingApp(database());
  await send(purchase("stranger"));
  const id = await newest(app.ctx);
  const before = await rowsOfApp(app.ctx.app.id);
  for (const attempt of [replayConfirmation, dismissConfirmation, restoreConfirmation, getEvent]) {
    await expect(attempt(other.ctx, id)).rejects.toThrow(missing);
    await expect(attempt(app.ctx, "no-uuid")).rejects.toThrow(missing);
  }
  expect(await rowsOfApp(app.ctx.app.id)).toEqual(before);
});

test("the log is narrowed to a verdict and a connection, page by page", async () => {
  const { app, connection, send } = await connectedApp();
  await app.assign("a");
  for (const uid of ["x", "a", "y"]) await send(purchase(uid));
  await receiveConfirmation(app.ctx, uuidv7(), {
    eventId: uuidv7(),
    type: "X",
    uids: ["z"],
    payload: {},
    occurredAt: null,
    purchaseId: null,
    links: [],
    confirmation: { kind: "confirm", paid: true, renewal: false, sandbox: false },
  });
  const uids = async (filters: Parameters<typeof listEvents>[1]) =>
    (await listEvents(app.ctx, filters)).data.flatMap((event) => event.uids);
  expect(await uids({})).toEqual(["z", "y", "a", "x"]);
  expect(await uids({ connectionId: connection.id, verdict: "unmatched" })).toEqual(["y", "x"]);
  expect(await uids({ verdict: "confirmed" })).toEqual(["a"]);
  const first = await listEvents(app.ctx, { connectionId: connection.id, limit: 2 });
  expect(await uids({ connectionId: connection.id, limit: 2, cursor: first.nextCursor ?? "" })).toEqual([
    "x",
  ]);
  const events = database().orm.select().from(providerEvents).where(eq(providerEvents.appId, app.ctx.app.id));
  expect(await events).toHaveLength(4);
});
