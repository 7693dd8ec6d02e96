import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { addChannel, changeChannel, removeChannel, setChannelEnabled } from "@/lib/alerts/change-channel";
import { listChannels } from "@/lib/alerts/channel";
import { listAlerts } from "@/lib/alerts/list";
import { SEND_ALERT, sendToChannel } from "@/lib/alerts/send-to-channel";
import { alertTasks } from "@/lib/alerts/tasks";
import { testChannel } from "@/lib/alerts/test-channel";
import { watchAlerts } from "@/lib/alerts/watch";
import type { Context } from "@/lib/context";
import { ALERT_KINDS, type AlertKind } from "@/lib/contract/alerts";
import { database } from "@/lib/db/client";
import { mails, pools, providerEvents, webhookEndpoints } from "@/lib/db/schema";
import { startWorker } from "@/lib/jobs/worker";
import { stockOf } from "@/lib/stats/stock";
import { startChat } from "@/lib/testing/chat";
import { clientOf } from "@/lib/testing/client";
import { refer, tell } from "@/lib/testing/confirm";
import { joinAs } from "@/lib/testing/office";
import { useService } from "@/lib/testing/service";
import { asPerson, auditOf } from "@/lib/testing/support";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";
import { createEndpoint } from "@/lib/webhooks/create";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

let chat: Awaited<ReturnType<typeof startChat>>;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const MESSAGE = { title: "t", detail: "d", url: "https://x.example" };

const look = async (ctx: Context) => watchAlerts(ctx, await stockOf(ctx));

const kindsOf = async (ctx: Context) => (await listAlerts(ctx)).map(({ kind }) => kind);

/** Takes an app's alerts out of the queue and does them. */
async function sendQueued(ctx: Context): Promise<number> {
  const { rows } = await database().orm.execute<{ payload: unknown }>(sql`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
     where t.id = j.task_id and t.identifier = ${SEND_ALERT} and j.payload ->> 'appId' = ${ctx.app.id}
    returning j.payload`);
  for (const { payload } of rows) await sendToChannel(database(), payload);
  return rows.length;
}

/** An app whose iOS referee pool is low below six codes, with a chat that hears of it; `give` hands codes out. */
async function watched(kinds: AlertKind[] = ALERT_KINDS) {
  const tenant = await makeTenant({ codes: 7, threshold: 100 });
  const ctx = asPerson(tenant.ctx);
  const low = and(eq(pools.appId, ctx.app.id), eq(pools.id, tenant.pools.ios.referee));
  await database().orm.update(pools).set({ lowStock: 0 }).where(eq(pools.appId, ctx.app.id));
  await database().orm.update(pools).set({ lowStock: 5 }).where(low);
  const path = uuidv7();
  const { id } = await addChannel(ctx, { type: "slack", name: "ops", target: chat.url(path), kinds });
  const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
  return {
    ...{ tenant, ctx, path, channelId: id },
    give: (count: number) => refer(tenant, metacode, count),
    posts: () => chat.posts.filter((post) => post.path === `/${path}`).map(({ body }) => String(body.text)),
  };
}

describe("an alert", () => {
  test("is told once, whoever looks and however often, and again only after it was mended", async () => {
    const { ctx, tenant, give, posts } = await watched();
    await look(ctx);
    expect(await sendQueued(ctx)).toBe(0);
    await give(3);
    await Promise.all(Array.from({ length: 6 }, () => look(ctx)));
    await look(ctx);
    expect(await kindsOf(ctx)).toEqual(["pool_low"]);
    expect(await sendQueued(ctx)).toBe(1);
    expect(posts()).toEqual([expect.stringContaining("has 4 codes left")]);
    await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 5 });
    await look(ctx);
    expect(await kindsOf(ctx)).toEqual([]);
    await give(5);
    await look(ctx);
    expect(await sendQueued(ctx)).toBe(1);
    expect(posts()).toHaveLength(2);
  });

  test("reaches the chat by the queue that every web process works off", async () => {
    const { ctx, give, posts } = await watched();
    await give(3);
    await look(ctx);
    const stop = startWorker({
      url: process.env.DATABASE_URL ?? "",
      sessions: true,
      tasks: alertTasks(),
    });
    await vi.waitFor(() => expect(posts()).toHaveLength(1), { timeout: 10_000 });
    await stop();
    expect(await sendQueued(ctx)).toBe(0);
  });

  test("goes to those who asked for its kind, and by mail to owners and admins", async () => {
    const { ctx } = await watched(["quota"]);
    const target = `${uuidv7()}@example.com`;
    await addChannel(ctx, { type: "mail", name: "", target, kinds: ["unmatched"] });
    const owner = await joinAs(ctx.workspace.id, "owner");
    for (let stranger = 0; stranger < 10; stranger++) await tell(ctx, `stranger ${stranger}`);
    await look(ctx);
    expect(await kindsOf(ctx)).toEqual(["unmatched"]);
    expect(await sendQueued(ctx)).toBe(0);
    const letters = await database()
      .orm.select({ to: mails.recipient, subject: mails.subject })
      .from(mails)
      .where(sql`${mails.text} like ${`%${ctx.app.id}%`}`);
    expect(letters.map(({ to }) => to)).toContain(target);
    expect(letters.length).toBeGreaterThan(1);
    expect(letters[0]?.subject).toContain("10 or more confirmations");
    expect(owner.actor.kind).toBe("user");
  });

  test("of unmatched confirmations is over when half of the pile is gone, not when one is", async () => {
    const { ctx } = await watched();
    for (let stranger = 0; stranger < 10; stranger++) await tell(ctx, `stranger ${stranger}`);
    await look(ctx);
    const dismiss = (count: number) =>
      database().orm.execute(sql`
        update provider_events set verdict = 'dismissed' where app_id = ${ctx.app.id} and id = any(array(
          select id from provider_events where app_id = ${ctx.app.id} and verdict = 'unmatched' limit ${count}))`);
    await dismiss(5);
    await look(ctx);
    expect(await kindsOf(ctx)).toEqual(["unmatched"]);
    await dismiss(1);
    await look(ctx);
    expect(await kindsOf(ctx)).toEqual([]);
    expect(await database().orm.$count(providerEvents, eq(providerEvents.appId, ctx.app.id))).toBe(10);
  });

  test("of an endpoint is told when its owners are warned, and again when it is switched off", async () => {
    const { ctx, posts } = await watched();
    const { id } = await createEndpoint(ctx, { url: "https://crm.example.com/in", events: ["pool.low"] });
    const set = (values: Partial<typeof webhookEndpoints.$inferInsert>) =>
      database().orm.update(webhookEndpoints).set(values).where(eq(webhookEndpoints.id, id));
    await set({ failingSince: new Date() });
    await look(ctx);
    expect(await kindsOf(ctx)).toEqual([]);
    await set({ warnedAt: new Date() });
    await look(ctx);
    await set({ enabled: false, disabledReason: "failing" });
    await look(ctx);
    await sendQueued(ctx);
    expect(posts().sort()).toEqual([
      expect.stringContaining("crm.example.com does not take events"),
      expect.stringContaining("crm.example.com was switched off"),
    ]);
    await set({ disabledReason: "owner" });
    await look(ctx);
    expect(await kindsOf(ctx)).toEqual([]);
  });

  test("is not told at all where its letters cannot be written", async () => {
    const { ctx, give } = await watched();
    await give(3);
    await database().orm.execute(sql`alter table alerts rename to alerts_away`);
    await expect(look(ctx)).rejects.toThrow();
    await database().orm.execute(sql`alter table alerts_away rename to alerts`);
    await look(ctx);
    expect(await sendQueued(ctx)).toBe(1);
  });
});

describe("a channel", () => {
  test("that is off, gone or not asked hears nothing", async () => {
    const { ctx, channelId, give, posts } = await watched();
    await give(3);
    await look(ctx);
    const queued = { appId: ctx.app.id, channelId, message: MESSAGE };
    await setChannelEnabled(ctx, channelId, false);
    expect(await sendQueued(ctx)).toBe(1);
    await setChannelEnabled(ctx, channelId, true);
    await sendToChannel(database(), { ...queued, appId: uuidv7() });
    await removeChannel(ctx, channelId);
    await sendToChannel(database(), queued);
    expect(posts()).toEqual([]);
    expect(await listChannels(ctx)).toEqual([]);
  });

  test("whose address is gone is switched off and says why; any other refusal is tried again", async () => {
    const { ctx, channelId, give } = await watched();
    await give(3);
    await look(ctx);
    chat.answer(500);
    const again = sendToChannel(database(), { appId: ctx.app.id, channelId, message: MESSAGE });
    await expect(again).rejects.toThrow("answered 500");
    expect((await listChannels(ctx))[0]?.enabled).toBe(true);
    chat.answer(410);
    await sendQueued(ctx);
    chat.answer(200);
    expect(await listChannels(ctx)).toMatchObject([
      { enabled: false, stoppedBecause: expect.stringContaining("410") },
    ]);
    expect((await auditOf(ctx)).map(({ action }) => action)).toContain("alert_channel.disabled");
    await setChannelEnabled(ctx, channelId, true);
    expect(await listChannels(ctx)).toMatchObject([{ enabled: true, stoppedBecause: null }]);
  });

  test("is tried out at once, and says what was wrong", async () => {
    const { ctx, channelId, posts } = await watched();
    await testChannel(ctx, channelId);
    expect(posts()).toEqual([expect.stringContaining("this is a test")]);
    chat.answer(403);
    await expect(testChannel(ctx, channelId)).rejects.toThrow("The other end answered 403");
    chat.answer(200);
    const target = "https://127.0.0.2:1/closed";
    const { id } = await addChannel(ctx, { type: "discord", name: "", target, kinds: ["quota"] });
    await expect(testChannel(ctx, id)).rejects.toThrow("Nothing answers");
  });

  test("never shows its address: not in lists, not in the audit log", async () => {
    const { ctx, path, channelId } = await watched();
    await changeChannel(ctx, { channelId, name: "on call", kinds: ["quota"] });
    expect(await listChannels(ctx)).toMatchObject([{ label: "on call", kinds: ["quota"] }]);
    expect(JSON.stringify([await listChannels(ctx), await auditOf(ctx)])).not.toContain(path);
    expect((await auditOf(ctx)).length).toBeGreaterThan(1);
  });

  test("of another app is nobody's", async () => {
    const { channelId } = await watched();
    const other = (await watched()).ctx;
    for (const attempt of [
      () => changeChannel(other, { channelId, name: "x", kinds: ["quota"] }),
      () => setChannelEnabled(other, channelId, false),
      () => removeChannel(other, channelId),
      () => testChannel(other, channelId),
    ]) {
      await expect(attempt()).rejects.toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
    }
  });

  test.each([
    ["slack", "https://user:word@hooks.example.com/x", "target"],
    ["discord", "https://10.0.0.1/x", "target"],
    ["mail", "not a mailbox", "target"],
    ["slack", "", "target"],
  ] as const)("%s cannot lead to %s", async (type, target, field) => {
    const ctx = asPerson((await makeTenant()).ctx);
    await expect(addChannel(ctx, { type, name: "", target, kinds: ["quota"] })).rejects.toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", field }),
    );
  });
});
