import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterEach, describe, expect, test, vi } from "vitest";
import { SAMPLE_KINDS } from "@/lib/contract/provider";
import { database, openDatabase } from "@/lib/platform/db/client";
import { auditLog, providerConnections } from "@/lib/platform/db/schema";
import { getEvent } from "@/lib/program/confirmations/event";
import { listEvents } from "@/lib/program/confirmations/list";
import { getConnection, toConnectionView } from "@/lib/program/connections/connection";
import { createConnection } from "@/lib/program/connections/create";
import { connectionCache, findConnection } from "@/lib/program/connections/find";
import { connectionHealth } from "@/lib/program/connections/health";
import { flushRefusals, provenDelivery } from "@/lib/program/connections/prove";
import { sendSampleEvent } from "@/lib/program/connections/send-sample";
import {
  deleteConnection,
  disableConnection,
  enableConnection,
  renameConnection,
  rotateConnectionSecret,
  updateOwnNames,
  updateSigningSecret,
} from "@/lib/program/connections/update";
import type { Context } from "@/lib/tenants/context";
import { later } from "@/lib/testing/clock";
import { confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { connectedApp, connectedTo, postDelivery } from "@/lib/testing/provider-events/deliver";
import { recorded } from "@/lib/testing/provider-events/recorded";
import { useService } from "@/lib/testing/service";

useService({ TRUSTED_PROXIES: "1", IP_REQUESTS_PER_MINUTE: "1000000" });
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const hello = () => recorded("initial_purchase", { id: uuidv7(), type: "TEST" });

describe("a changed secret", () => {
  test.each([-172_800_000, 172_800_000])(
    "is accepted beside the old one while the database's clock says so, %s ms beside that of a process",
    async (beside) => {
      const { app, connection, send } = await connectedApp();
      const { ctx } = app;
      const next = await rotateConnectionSecret(ctx, connection.id, "24h");
      expect(next.formerUntil?.getTime()).toBeGreaterThan(Date.now() + 86_300_000);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + beside });
      const wait = async (seconds: number) => {
        const formerUntil = later(providerConnections.formerUntil, -seconds);
        const mine = eq(providerConnections.id, connection.id);
        await ctx.db.orm.update(providerConnections).set({ formerUntil }).where(mine);
        connectionCache().forget(connection.id);
      };
      const withSecret = async (secret: string) =>
        (await send(hello(), { headers: { authorization: secret } })).status;
      await wait(86_300);
      expect([await withSecret(next.secret), await withSecret(connection.secret)]).toEqual([200, 200]);
      expect(await withSecret("neither")).toBe(401);
      await wait(100);
      expect([await withSecret(next.secret), await withSecret(connection.secret)]).toEqual([200, 401]);
    },
  );

  test("is accepted alone once the grace period has ended, also while the database is away", async () => {
    const { app, connection } = await connectedApp();
    const next = await rotateConnectionSecret(app.ctx, connection.id, "24h");
    await findConnection(database(), "revenuecat", connection.id);
    const away = openDatabase({ url: "postgres://user@127.0.0.1:1/nothing" });
    const start = performance.now();
    const proven = async (hours: number, secret: string) => {
      vi.spyOn(performance, "now").mockReturnValue(start + hours * 3_600_000);
      const record = await findConnection(away, "revenuecat", connection.id);
      if (!record) throw new Error("no connection");
      return provenDelivery(record, {
        headers: new Headers({ authorization: secret }),
        rawBody: Buffer.of(),
      });
    };
    const { secret } = connection;
    expect(await proven(23, secret)).toMatchObject({ secret });
    await expect(proven(25, secret)).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    expect(await proven(25, next.secret)).toMatchObject({ secret: next.secret });
    await away.close();
  });

  test("without a grace period, refuses the old one and any earlier one", async () => {
    const { app, connection, send } = await connectedApp();
    const second = await rotateConnectionSecret(app.ctx, connection.id, "7d");
    const third = await rotateConnectionSecret(app.ctx, connection.id, "now");
    const statuses = [];
    for (const { secret } of [connection, second, third]) {
      statuses.push((await send(hello(), { headers: { authorization: secret } })).status);
    }
    expect(statuses).toEqual([401, 401, 200]);
    expect(third.formerUntil).toBeNull();
  });
});

describe("the health of a connection", () => {
  const NOTHING = { last: null, day: [], refusals: { deliveries: 0, since: null, hours: [] } };
  test("is its last event and the outcomes of a day", async () => {
    const { app, connection, send } = await connectedApp();
    expect(await connectionHealth(app.ctx, connection.id)).toEqual(NOTHING);
    await app.assign("1234567890");
    await send(recorded("initial_purchase", { id: uuidv7() }));
    await send(hello());
    await send(hello());
    const health = await connectionHealth(app.ctx, connection.id);
    expect(health.last).toMatchObject({ type: "TEST", verdict: "ignored", at: expect.any(Date) });
    expect(health.day).toEqual([
      { verdict: "confirmed", events: 1 },
      { verdict: "ignored", events: 2 },
    ]);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 90_000_000 });
    expect((await connectionHealth(app.ctx, connection.id)).day).toEqual([]);
    const other = await confirmingApp(database());
    expect(await connectionHealth(other.ctx, connection.id)).toEqual(NOTHING);
  });

  test("shows when a delivery was refused, also after an outage of the database", async () => {
    const { app, connection } = await connectedApp();
    const refusedAt = async () => (await getConnection(app.ctx, connection.id)).refusedAt;
    await flushRefusals(database());
    expect(await refusedAt()).toBeNull();
    await postDelivery(connection, { body: hello(), headers: { authorization: "wrong" } });
    const away = openDatabase({ url: "postgres://user@127.0.0.1:1/nothing" });
    await expect(flushRefusals(away)).rejects.toThrow();
    await flushRefusals(database());
    expect((await refusedAt())?.getTime()).toBeGreaterThan(Date.now() - 60_000);
  });

  test("counts refused deliveries, also those of an outage, and keeps them after an accepted one", async () => {
    const { app, connection } = await connectedApp();
    const refuse = () => postDelivery(connection, { body: hello(), headers: { authorization: "wrong" } });
    await refuse();
    await refuse();
    const away = openDatabase({ url: "postgres://user@127.0.0.1:1/nothing" });
    await expect(flushRefusals(away)).rejects.toThrow();
    await refuse();
    await flushRefusals(database());
    await refuse();
    await flushRefusals(database());
    await flushRefusals(database());
    expect((await connectionHealth(app.ctx, connection.id)).refusals.deliveries).toBe(4);
  });
});

describe("a test event", () => {
  test.each(["revenuecat", "generic"])("of %s goes through the connection's own door", async (provider) => {
    const app = await confirmingApp(database(), { sandbox: true });
    const signingSecret = provider === "revenuecat" ? "rc-key" : null;
    const { id } = await createConnection(app.ctx, { provider, signingSecret });
    await app.assign("a");
    const statuses = [];
    for (const kind of SAMPLE_KINDS) {
      statuses.push((await sendSampleEvent(app.ctx, { connectionId: id, uid: "a", kind })).status);
    }
    expect(statuses).toEqual(["confirmed", "reversed", "ignored"]);
    const [last] = (await listEvents(app.ctx)).data;
    expect(await getEvent(app.ctx, last?.id ?? "")).toMatchObject({ connectionId: id, verdict: "ignored" });
    expect(await app.states()).toEqual({ a: "reversed" });
  });

  test("of Apple, which only Apple can sign, goes past the signature in a sandbox, and never in a live app", async () => {
    const input = { uid: "a", kind: "purchase" } as const;
    const [sandbox, live] = [await connectedTo("apple"), await connectedTo("apple", { sandbox: false })];
    for (const { app } of [sandbox, live]) await app.assign("a");
    const received = await sendSampleEvent(sandbox.app.ctx, {
      connectionId: sandbox.connection.id,
      ...input,
    });
    expect(received.status).toBe("confirmed");
    const refused = sendSampleEvent(live.app.ctx, { connectionId: live.connection.id, ...input });
    await expect(refused).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await listEvents(live.app.ctx)).data).toEqual([]);
    expect(await live.app.states()).toEqual({ a: "code_assigned" });
  });

  test("is read by the custom names", async () => {
    const { app, connection } = await connectedTo("adapty", { confirmOn: "paid" });
    await app.assign("a");
    await updateOwnNames(app.ctx, connection.id, { events: "subscription_started = trial_started" });
    const input = { connectionId: connection.id, uid: "a", kind: "purchase" } as const;
    expect((await sendSampleEvent(app.ctx, input)).status).toBe("not_paid");
  });

  test("is not sent in a live app, nor through a connection that is off", async () => {
    const [live, sandbox] = [await connectedApp(), await connectedApp({ sandbox: true })];
    const conflict = expect.objectContaining({ code: "CONFLICT" });
    const ask = ({ app, connection }: typeof live, ctx: Context = app.ctx) =>
      sendSampleEvent(ctx, { connectionId: connection.id, uid: "a", kind: "purchase" });
    await expect(ask(live)).rejects.toThrow(conflict);
    await disableConnection(sandbox.app.ctx, sandbox.connection.id);
    await expect(ask(sandbox)).rejects.toThrow(conflict);
    const other = await confirmingApp(database(), { sandbox: true });
    await expect(ask(sandbox, other.ctx)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("a connection", () => {
  test("has its own name or the provider's, and shows pages no secret", async () => {
    const { ctx } = await confirmingApp(database());
    const made = await createConnection(ctx, { provider: "revenuecat", name: " Live " });
    expect(toConnectionView(made)).toMatchObject({ label: "Live" });
    expect(JSON.stringify(toConnectionView(made))).not.toContain(made.secret);
    expect(toConnectionView(await renameConnection(ctx, made.id, "Shop"))).toMatchObject({ label: "Shop" });
    expect(toConnectionView(await renameConnection(ctx, made.id, " "))).toMatchObject({
      label: "RevenueCat",
    });
    for (const name of ["x".repeat(61), "a\nb"]) {
      const refused = { code: "VALIDATION_ERROR", field: "name" };
      await expect(renameConnection(ctx, made.id, name)).rejects.toMatchObject(refused);
    }
  });

  test("that is deleted accepts no more deliveries, and its past events stay", async () => {
    const { app, connection, send } = await connectedApp();
    await send(hello());
    const other = await confirmingApp(database());
    await expect(deleteConnection(other.ctx, connection.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await deleteConnection(app.ctx, connection.id);
    expect((await send(hello())).status).toBe(404);
    expect((await listEvents(app.ctx)).data).toHaveLength(1);
    await expect(getConnection(app.ctx, connection.id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("has every change in the audit log, and no secret there", async () => {
    const { app, connection } = await connectedApp();
    const { id } = connection;
    const rotated = await rotateConnectionSecret(app.ctx, id, "1h");
    await updateSigningSecret(app.ctx, id, "signing-key");
    await renameConnection(app.ctx, id, "Shop");
    await disableConnection(app.ctx, id);
    await enableConnection(app.ctx, id);
    await deleteConnection(app.ctx, id);
    const rows = await database().orm.select().from(auditLog).where(eq(auditLog.appId, app.ctx.app.id));
    expect(rows.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ action }) => action)).toEqual([
      "connection.created",
      "connection.secret_changed",
      "connection.signing_changed",
      "connection.renamed",
      "connection.disabled",
      "connection.enabled",
      "connection.deleted",
    ]);
    for (const secret of [connection.secret, rotated.secret, "signing-key"]) {
      expect(JSON.stringify(rows)).not.toContain(secret);
    }
  });
});
