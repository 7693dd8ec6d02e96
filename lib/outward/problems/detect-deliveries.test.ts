import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { countedBacklogs } from "@/lib/outward/problems/backlogs";
import { detect } from "@/lib/outward/problems/detect";
import { watchBacklogs } from "@/lib/outward/rounds/mark-apps";
import { firstIdAt, NIL_ID } from "@/lib/platform/db/index-ranges";
import {
  alertPosts,
  codeRequests,
  emails,
  providerEvents,
  rounds,
  webhookDeliveries,
  webhookEndpoints,
} from "@/lib/platform/db/schema";
import { lateOf } from "@/lib/platform/jobs/backlog";
import { ago, DAY, HOUR, MINUTE, problemsOf, soundApp, withProvider } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";

useService();

describe("deliveries", () => {
  async function withEndpoint(values: Partial<typeof webhookEndpoints.$inferInsert> = {}) {
    const { ctx } = await soundApp();
    const id = uuidv7();
    const url = "https://hooks.example.com/x";
    await ctx.db.orm
      .insert(webhookEndpoints)
      .values({ appId: ctx.app.id, id, url, events: [], secret: "s", ...values });
    return { ctx, id };
  }

  test.each([
    [{}, undefined],
    [{ failingSince: ago(30 * MINUTE) }, undefined],
    [
      { failingSince: ago(2 * HOUR), warnedAt: ago(HOUR) },
      ["warning", "hooks.example.com does not accept webhooks"],
    ],
    [
      { enabled: false, disabledReason: "failing" },
      ["critical", "Webhooks to hooks.example.com were disabled"],
    ],
    [{ enabled: false, disabledReason: "gone" }, ["critical", "Webhooks to hooks.example.com were disabled"]],
    [{ enabled: false, disabledReason: "owner" }, undefined],
  ] as const)("an endpoint with %j", async (values, expected) => {
    const { ctx } = await withEndpoint(values);
    const found = await detect(ctx);
    for (const { detail } of found) expect(detail).not.toMatch(/answered|\b[45]\d\d\b/);
    const problems = found.map(({ severity, kind, title }) => [severity, kind, title]);
    expect(problems).toEqual(expected ? [[expected[0], "webhook_failing", expected[1]]] : []);
  });

  test("a failing endpoint that got no event for five days is disabled by the next failure, not at a time that has passed", async () => {
    const detailOf = async (days: number) => {
      const { ctx } = await withEndpoint({ failingSince: ago(days * DAY), warnedAt: ago(DAY) });
      return (await detect(ctx))[0]?.detail;
    };
    expect(await detailOf(4)).toMatch(/If no delivery succeeds by .+, the endpoint is disabled\.$/);
    expect(await detailOf(6)).toMatch(/ 30 days\. The next failure disables the endpoint\.$/);
  });

  /** Kinds and subjects of the problems of an app with a delivery that a sender should have checked at `wakeAt`. */
  async function late(wakeAt: Date, delivery: Partial<typeof webhookDeliveries.$inferInsert> = {}) {
    const { ctx, id } = await withEndpoint();
    const row = { appId: ctx.app.id, endpointId: id, eventType: "T", status: "pending" } as const;
    await ctx.db.orm
      .insert(webhookDeliveries)
      .values({ ...row, id: uuidv7(), eventId: uuidv7(), wakeAt, ...delivery });
    const problems = (await detect(ctx)).map(
      ({ kind, subject, detail }) =>
        `${kind} ${subject.replace(id, "endpoint")}${detail.startsWith("Make the endpoint respond faster") ? ", too slow" : ""}`,
    );
    await ctx.db.orm.delete(webhookDeliveries);
    return problems;
  }

  test("that no sender has looked at for ten minutes stand still", async () => {
    expect(await late(ago(11 * MINUTE))).toEqual(["backlog webhooks endpoint"]);
    expect(await late(ago(9 * MINUTE))).toEqual([]);
    expect(await late(ago(11 * MINUTE), { status: "dead" })).toEqual(["webhook_failing endpoint given up"]);
    // While a process sends to the endpoint, the endpoint is too slow, and the service is not at fault.
    const leasedUntil = new Date(Date.now() + MINUTE);
    expect(await late(ago(11 * MINUTE), { leasedUntil })).toEqual(["backlog webhooks endpoint, too slow"]);
  });

  test.each([
    [11, true],
    [9, false],
  ])("that no sender has looked at for %i minutes have their app checked: %s", async (minutes, checked) => {
    const { ctx, id } = await withEndpoint();
    const row = { appId: ctx.app.id, endpointId: id, eventType: "T", status: "pending" } as const;
    const wakeAt = ago(minutes * MINUTE);
    await ctx.db.orm.insert(webhookDeliveries).values({ ...row, id: uuidv7(), eventId: uuidv7(), wakeAt });
    await ctx.db.orm.delete(rounds);
    await watchBacklogs(ctx.db);
    const due = await ctx.db.orm.select().from(rounds).where(eq(rounds.name, "checks"));
    expect(due.map(({ appId }) => appId)).toEqual(checked ? [ctx.app.id] : []);
    await ctx.db.orm.delete(webhookDeliveries);
  });

  test("that were given up are a problem for a week, unless their endpoint accepts nothing anyway", async () => {
    const { ctx, id } = await withEndpoint();
    const ids = [25, 25, 24 * 9].map((hours) =>
      firstIdAt(ago(hours * HOUR)).replace(/.{12}$/, uuidv7().slice(-12)),
    );
    const dead = { appId: ctx.app.id, endpointId: id, eventType: "T", status: "dead" } as const;
    await ctx.db.orm
      .insert(webhookDeliveries)
      .values(ids.map((of) => ({ ...dead, id: of, eventId: uuidv7(), wakeAt: null, dueAt: null })));
    const titles = async () => (await detect(ctx)).map(({ title }) => title);
    const test = { ...dead, id: uuidv7(), eventId: uuidv7(), eventType: "webhook.test" };
    await ctx.db.orm.insert(webhookDeliveries).values(test);
    expect(await titles()).toEqual(["2 webhooks to hooks.example.com were given up"]);
    expect((await detect(ctx))[0]?.path).toBe(`/webhooks/${id}?status=dead`);
    const many = Array.from({ length: 999 }, () => ({ ...dead, id: uuidv7(), eventId: uuidv7() }));
    await ctx.db.orm.insert(webhookDeliveries).values(many);
    expect(await titles()).toEqual(["More than 1,000 webhooks to hooks.example.com were given up"]);
    const own = eq(webhookEndpoints.id, id);
    await ctx.db.orm
      .update(webhookEndpoints)
      .set({ warnedAt: ago(HOUR) })
      .where(own);
    expect(await titles()).toEqual(["hooks.example.com does not accept webhooks"]);
    await ctx.db.orm.update(webhookEndpoints).set({ warnedAt: null }).where(own);
    await ctx.db.orm.update(webhookDeliveries).set({ status: "failed" });
    expect(await titles()).toEqual([]);
    await ctx.db.orm.delete(webhookDeliveries);
  });

  test("that wait for their endpoint or another delivery are looked at later, so they do not", async () => {
    expect(await late(new Date(Date.now() + MINUTE), { dueAt: ago(HOUR) })).toEqual([]);
  });

  test("that are stuck are a problem of their own app only", async () => {
    const mine = await withEndpoint();
    const other = await withEndpoint();
    const row = { appId: other.ctx.app.id, endpointId: other.id, eventType: "T", status: "pending" } as const;
    await other.ctx.db.orm
      .insert(webhookDeliveries)
      .values({ ...row, id: uuidv7(), eventId: uuidv7(), wakeAt: ago(HOUR) });
    expect(await detect(mine.ctx)).toEqual([]);
    expect(await problemsOf(other.ctx)).toEqual([["warning", "backlog", `webhooks ${other.id}`]]);
    await other.ctx.db.orm.delete(webhookDeliveries);
  });

  test("of alerts and requests for codes that are stuck are a problem of their own app only", async () => {
    const { ctx } = await soundApp();
    const [mine, other] = [ctx.app.id, uuidv7()];
    const post = { channelId: uuidv7(), title: "t", detail: "d", url: "u", dueAt: ago(11 * MINUTE) };
    await ctx.db.orm.insert(alertPosts).values({ ...post, appId: other, id: uuidv7() });
    expect(await detect(ctx)).toEqual([]);
    await ctx.db.orm.insert(alertPosts).values({ ...post, appId: mine, id: uuidv7() });
    expect(await problemsOf(ctx)).toEqual([["warning", "backlog", "alerts"]]);
    await ctx.db.orm.delete(alertPosts);
    const request = {
      appId: mine,
      id: uuidv7(),
      poolId: uuidv7(),
      batchId: uuidv7(),
      origin: "person",
      offerType: "subscription",
      offerId: "o",
      offerName: "o",
      amount: 1,
      expiresOn: "2030-01-01",
      dueAt: ago(11 * MINUTE),
    } as const;
    await ctx.db.orm.insert(codeRequests).values(request);
    expect(await problemsOf(ctx)).toEqual([["warning", "backlog", "code requests"]]);
    await ctx.db.orm.update(codeRequests).set({ leasedUntil: new Date(Date.now() + MINUTE) });
    expect(await detect(ctx)).toEqual([]);
  });

  test("of a provider that fail again and again concern their app, the health and the metrics", async () => {
    const { ctx } = await withProvider(await soundApp());
    const event = (appId: string, tries: number) => ({
      appId,
      id: uuidv7(),
      connectionId: uuidv7(),
      eventId: uuidv7(),
      type: "T",
      uids: ["u"],
      payload: {},
      ...({ confirmation: {}, verdict: "failed", tries, createdAt: ago(11 * MINUTE) } as const),
    });
    const other = (await withProvider(await soundApp())).ctx.app.id;
    // One app no longer exists.
    const foreign = [event(other, 3), event(uuidv7(), 3)];
    await ctx.db.orm.insert(providerEvents).values([...foreign, event(ctx.app.id, 2)]);
    expect(await detect(ctx)).toEqual([]);
    await ctx.db.orm.insert(providerEvents).values(event(ctx.app.id, 3));
    expect(await problemsOf(ctx)).toEqual([["warning", "backlog", "provider events"]]);
    const [late] = lateOf(await countedBacklogs(ctx.db));
    expect(late).toMatchObject({ name: "failing provider events", rows: 2 });
    await ctx.db.orm.update(providerEvents).set({ verdict: "confirmed" });
    expect(await detect(ctx)).toEqual([]);
  });

  test("rounds that fail concern their app, and those of the installation every app", async () => {
    const { ctx } = await soundApp();
    const fail = (appId: string) =>
      ctx.db.orm.insert(rounds).values({ appId, name: "checks", failingSince: ago(11 * MINUTE) });
    await fail(uuidv7());
    expect(await detect(ctx)).toEqual([]);
    for (const appId of [ctx.app.id, NIL_ID]) {
      await fail(appId);
      expect(await problemsOf(ctx)).toEqual([["warning", "backlog", "rounds"]]);
      await ctx.db.orm.delete(rounds).where(eq(rounds.appId, appId));
    }
  });

  test("of emails that are due for ten minutes stand still in every app", async () => {
    const { ctx } = await soundApp();
    const email = { id: uuidv7(), recipient: "late@example.com", subject: "s", text: "t" };
    await ctx.db.orm.insert(emails).values({ ...email, dueAt: ago(9 * MINUTE) });
    expect(await detect(ctx)).toEqual([]);
    const set = (values: object) => ctx.db.orm.update(emails).set(values).where(eq(emails.id, email.id));
    await set({ dueAt: ago(11 * MINUTE) });
    expect(await problemsOf(ctx)).toEqual([["warning", "backlog", "emails"]]);
    await set({ sentAt: new Date() });
    expect(await detect(ctx)).toEqual([]);
  });

  test("of emails that the server has refused three times are late, unless a later one was sent", async () => {
    const { ctx } = await soundApp();
    const email = { recipient: "late@example.com", subject: "s", text: "t" };
    const add = (values: object) => ctx.db.orm.insert(emails).values({ ...email, id: uuidv7(), ...values });
    await add({ createdAt: ago(HOUR), sentAt: ago(HOUR) });
    await add({ createdAt: ago(11 * MINUTE), attempts: 3, dueAt: new Date(Date.now() + 5_000) });
    expect(await detect(ctx)).toEqual([]);
    const refused = { createdAt: ago(11 * MINUTE), attempts: 3, dueAt: new Date(Date.now() + HOUR) };
    await add(refused);
    await add({ ...refused, serverFailed: false });
    // One recipient's server defers its emails.
    expect(await detect(ctx)).toEqual([]);
    await add({ ...refused, recipient: "another@example.com" });
    expect(await problemsOf(ctx)).toEqual([["warning", "backlog", "emails"]]);
    await ctx.db.orm.delete(emails).where(eq(emails.recipient, "another@example.com"));
    expect(await detect(ctx)).toEqual([]);
    await ctx.db.orm.update(emails).set({ serverFailed: true }).where(eq(emails.serverFailed, false));
    expect(await problemsOf(ctx)).toEqual([["warning", "backlog", "emails"]]);
    await add({ createdAt: ago(MINUTE), sentAt: new Date() });
    expect(await detect(ctx)).toEqual([]);
  });
});
