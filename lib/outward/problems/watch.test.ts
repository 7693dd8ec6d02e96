import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { AlertKind } from "@/lib/contract/problems";
import { createChannel } from "@/lib/outward/problems/channels";
import { listAlerts, listProblems } from "@/lib/outward/problems/detect";
import { alertQueue } from "@/lib/outward/problems/post";
import { LOOK_S, watchApp } from "@/lib/outward/problems/watch";
import { createEndpoint } from "@/lib/outward/webhooks/manage-endpoints";
import { database } from "@/lib/platform/db/client";
import { providerEvents, webhookEndpoints } from "@/lib/platform/db/schema";
import { runQueue } from "@/lib/platform/jobs/queue";
import { alertRecipients } from "@/lib/tenants/workspaces/members";
import { applyEvent } from "@/lib/testing/confirm";
import { alertKinds, emailsAbout, setPool } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { type Chat, sendQueued, startChat, watchedPool } from "@/lib/testing/webhooks/chat";
import { joinAs } from "@/lib/testing/workspace";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8", APP_URL: "https://metacode.example" });

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const watched = (kinds?: AlertKind[]) => watchedPool(chat, kinds);

describe("an alert", () => {
  test("is sent once, however many processes look and however often, and again only after it was solved", async () => {
    const { ctx, tenant, assignCodes, posts } = await watched();
    await watchApp(ctx);
    expect(await sendQueued(ctx)).toBe(0);
    await assignCodes(3);
    await Promise.all(Array.from({ length: 6 }, () => watchApp(ctx)));
    await watchApp(ctx);
    expect(await alertKinds(ctx)).toEqual(["pool_low"]);
    expect(await sendQueued(ctx)).toBe(1);
    expect(posts()).toEqual([expect.stringContaining("has 4 codes left")]);
    await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 5 });
    await watchApp(ctx);
    expect(await alertKinds(ctx)).toEqual([]);
    await assignCodes(5);
    await watchApp(ctx);
    expect(await sendQueued(ctx)).toBe(1);
    expect(posts()).toHaveLength(2);
  });

  test("has its app looked at again within ten minutes, by which a mailbox may have refused its email", async () => {
    const { ctx, assignCodes } = await watched();
    await assignCodes(3);
    expect(await watchApp(ctx)).toBe(600);
    expect(await watchApp(ctx)).toBe(LOOK_S);
  });

  test("of a low pool is followed by another one when it is empty, and by none when it is merely low again", async () => {
    const { ctx, tenant, assignCodes, posts } = await watched();
    const owner = await joinAs(ctx.workspace.id, "owner");
    await assignCodes(3);
    await watchApp(ctx);
    expect(await sendQueued(ctx)).toBe(1);
    await assignCodes(4);
    for (let time = 0; time < 2; time++) await watchApp(ctx);
    expect(await sendQueued(ctx)).toBe(1);
    expect(posts()).toEqual([
      expect.stringContaining("has 4 codes left"),
      expect.stringContaining("is empty"),
    ]);
    expect(await listAlerts(ctx)).toMatchObject([{ severity: "critical", notifiedAt: expect.any(Date) }]);
    await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 2 });
    await watchApp(ctx);
    expect(await sendQueued(ctx)).toBe(0);
    expect(await listAlerts(ctx)).toMatchObject([{ severity: "warning", notifiedAt: expect.any(Date) }]);
    await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 60 });
    await watchApp(ctx);
    expect(await alertKinds(ctx)).toEqual([]);
    const subjects = (await emailsAbout(ctx)).map(({ subject }) => subject);
    expect(subjects).toEqual([
      "Fitness: The pool “ios referee” has 4 codes left",
      "Fitness: The pool “ios referee” is empty",
    ]);
    expect(owner.actor.kind).toBe("user");
  });

  test("of an empty pool includes the low pool", async () => {
    const { ctx, tenant, assignCodes, posts } = await watched();
    await assignCodes(7);
    await watchApp(ctx);
    await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 2 });
    await watchApp(ctx);
    await sendQueued(ctx);
    expect(posts()).toEqual([expect.stringContaining("is empty")]);
  });

  test("reaches the chat by the queue that every web process works off", async () => {
    const { ctx, assignCodes, posts } = await watched();
    await assignCodes(3);
    await watchApp(ctx);
    const stop = runQueue(alertQueue(database()));
    await vi.waitFor(() => expect(posts()).toHaveLength(1), { timeout: 60_000 });
    await stop();
    expect(await sendQueued(ctx)).toBe(0);
  });

  test("goes to channels of its kind, and by email to owners and admins", async () => {
    const { ctx } = await watched(["quota"]);
    const target = `${uuidv7()}@example.com`;
    await createChannel(ctx, { type: "mail", name: "", target, kinds: ["unmatched"] });
    await joinAs(ctx.workspace.id, "owner");
    for (let buyer = 0; buyer < 10; buyer++) await applyEvent(ctx, `$RCAnonymousID:${buyer}`);
    await watchApp(ctx);
    expect(await alertKinds(ctx)).toEqual(["unmatched"]);
    expect(await sendQueued(ctx)).toBe(0);
    const written = await emailsAbout(ctx);
    expect(written.map(({ recipient }) => recipient)).toContain(target);
    expect(written.length).toBe(2);
    expect(written[0]?.subject).toContain("10 confirmations within a day");
    expect(written[1]?.subject).toBe("Alert: Unmatched events piling up");
  });

  test("is one email for a mailbox that is listed twice", async () => {
    const { ctx, tenant, assignCodes } = await watched();
    const target = `${uuidv7()}@example.com`;
    await createChannel(ctx, { type: "mail", name: "", target, kinds: ["pool_low"] });
    await setPool(ctx, tenant.pools.ios.referee, { alertTo: [target] });
    await assignCodes(3);
    await watchApp(ctx);
    expect((await emailsAbout(ctx)).map(({ recipient }) => recipient)).toEqual([target]);
  });

  test("is one email for the mailbox of an owner that is also a channel, in whatever case", async () => {
    const { ctx, assignCodes } = await watched();
    const owner = await joinAs(ctx.workspace.id, "owner");
    const [address = ""] = await alertRecipients(ctx);
    expect(address).toContain(owner.actor.id);
    for (const target of [
      address.replace("@", "@Mail."),
      address.replace("@", "@mail."),
      address.toUpperCase(),
    ])
      await createChannel(ctx, { type: "mail", name: "", target, kinds: ["pool_low"] });
    await assignCodes(3);
    await watchApp(ctx);
    const written = (await emailsAbout(ctx)).map(({ recipient }) => recipient.toLowerCase());
    expect(written.sort()).toEqual([address, address.replace("@", "@mail.")].sort());
  });

  test("of unmatched confirmations ends when half of them are gone, not when one is", async () => {
    const { ctx } = await watched();
    for (let buyer = 0; buyer < 10; buyer++) await applyEvent(ctx, `$RCAnonymousID:${buyer}`);
    await watchApp(ctx);
    const dismiss = (count: number) =>
      database().orm.execute(sql`
        update provider_events set verdict = 'dismissed' where app_id = ${ctx.app.id} and id = any(array(
          select id from provider_events where app_id = ${ctx.app.id} and verdict = 'unmatched' limit ${count}))`);
    await dismiss(5);
    await watchApp(ctx);
    expect(await alertKinds(ctx)).toEqual(["unmatched"]);
    await dismiss(1);
    await watchApp(ctx);
    expect(await alertKinds(ctx)).toEqual([]);
    expect(await database().orm.$count(providerEvents, eq(providerEvents.appId, ctx.app.id))).toBe(10);
  });

  test("of an endpoint is sent after an hour of failures, and again when it is disabled for them", async () => {
    const { ctx, posts } = await watched();
    const { id } = await createEndpoint(ctx, { url: "https://crm.example.com/in", events: ["pool.low"] });
    const set = (values: Partial<typeof webhookEndpoints.$inferInsert>) =>
      database().orm.update(webhookEndpoints).set(values).where(eq(webhookEndpoints.id, id));
    await set({ failingSince: new Date() });
    await watchApp(ctx);
    expect(await alertKinds(ctx)).toEqual([]);
    await set({ warnedAt: new Date() });
    await watchApp(ctx);
    await set({ enabled: false, disabledReason: "failing" });
    await watchApp(ctx);
    await sendQueued(ctx);
    expect(posts().sort()).toEqual([
      expect.stringContaining("Webhooks to crm.example.com were disabled"),
      expect.stringContaining("crm.example.com does not accept webhooks"),
    ]);
    await set({ disabledReason: "owner" });
    await watchApp(ctx);
    expect(await alertKinds(ctx)).toEqual([]);
  });

  test("is not sent at all if it cannot be stored", async () => {
    const { ctx, assignCodes } = await watched();
    await assignCodes(3);
    await database().orm.execute(sql`alter table alerts rename to alerts_away`);
    await expect(watchApp(ctx)).rejects.toThrow();
    await database().orm.execute(sql`alter table alerts_away rename to alerts`);
    await watchApp(ctx);
    expect(await sendQueued(ctx)).toBe(1);
  });

  test("has the same order in the overview, the list of alerts and the emails", async () => {
    const { ctx, tenant, assignCodes } = await watched();
    await joinAs(ctx.workspace.id, "owner");
    await assignCodes(3);
    await setPool(ctx, tenant.pools.android.referee, { lowStock: 7 });
    await ctx.db.orm.execute(
      sql`update batches set state = 'undone' where pool_id = ${tenant.pools.android.reward}`,
    );
    await watchApp(ctx);
    const titles = (await listProblems(ctx)).map(({ title }) => title);
    expect(titles).toEqual([
      "The pool “android reward” is empty",
      "The pool “ios referee” has 4 codes left",
      "The pool “android referee” has 7 codes left",
    ]);
    expect((await listAlerts(ctx)).map(({ title }) => title)).toEqual(titles);
    expect((await emailsAbout(ctx)).map(({ subject }) => subject.replace("Fitness: ", ""))).toEqual(titles);
  });
});
