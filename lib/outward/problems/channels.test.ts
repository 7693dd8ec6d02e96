import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { uuidv7 } from "uuidv7";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import {
  createChannel,
  deleteChannel,
  disableChannel,
  enableChannel,
  listChannels,
  updateChannel,
} from "@/lib/outward/problems/channels";
import { listProblems } from "@/lib/outward/problems/detect";
import { alertQueue, queuePost, sendAlert, sendTestAlert } from "@/lib/outward/problems/post";
import { watchApp } from "@/lib/outward/problems/watch";
import { database } from "@/lib/platform/db/client";
import { rounds } from "@/lib/platform/db/schema";
import { runQueue } from "@/lib/platform/jobs/queue";
import { deleteApp } from "@/lib/tenants/apps/delete";
import type { Context } from "@/lib/tenants/context";
import { blockedBackends } from "@/lib/testing/database/locks";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";
import { type Chat, sendQueued, startChat, watchedPool } from "@/lib/testing/webhooks/chat";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8" });

let chat: Chat;
beforeAll(async () => {
  chat = await startChat();
});
afterAll(() => chat.stop());

const MESSAGE = { title: "t", detail: "d", url: "https://x.example" };

const watched = () => watchedPool(chat);

describe("a channel", () => {
  test("that is disabled, deleted or of another app gets nothing", async () => {
    const { ctx, channelId, assignCodes, posts } = await watched();
    await assignCodes(3);
    await watchApp(ctx);
    const queued = { appId: ctx.app.id, channelId, message: MESSAGE };
    await disableChannel(ctx, channelId);
    expect(await sendQueued(ctx)).toBe(1);
    await enableChannel(ctx, channelId);
    await sendAlert(database(), { ...queued, appId: uuidv7() });
    await deleteChannel(ctx, channelId);
    await sendAlert(database(), queued);
    expect(posts()).toEqual([]);
    expect(await listChannels(ctx)).toEqual([]);
  });

  test("of an app that is deleted before the alert is sent gets nothing", async () => {
    const { ctx, channelId, posts } = await watched();
    await queuePost(ctx.db, { appId: ctx.app.id, channelId, message: MESSAGE });
    await deleteApp(ctx);
    expect(await sendQueued(ctx)).toBe(1);
    expect(posts()).toEqual([]);
  });

  test("that is deleted meanwhile is neither disabled nor deleted again, and the audit log says so once", async () => {
    const { ctx, channelId } = await watched();
    const late: Promise<unknown>[] = [];
    await database().transaction(async (db) => {
      await deleteChannel({ ...ctx, db }, channelId);
      const verbs = [disableChannel, enableChannel, deleteChannel];
      late.push(...verbs.map((verb) => verb(ctx, channelId).catch(({ code }) => code)));
      await blockedBackends();
    });
    expect(await Promise.all(late)).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
    const audited = (await auditOf(ctx)).map(({ action }) => action).sort();
    expect(audited).toEqual(["alert_channel.created", "alert_channel.deleted"]);
  });

  test("whose address is gone is disabled with the reason; any other refusal is retried", async () => {
    const { ctx, channelId, assignCodes } = await watched();
    await assignCodes(3);
    await watchApp(ctx);
    chat.answer(500);
    const again = sendAlert(database(), { appId: ctx.app.id, channelId, message: MESSAGE });
    await expect(again).rejects.toThrow("The chat service reported an error");
    expect((await listChannels(ctx))[0]?.enabled).toBe(true);
    chat.answer(410);
    await database().orm.delete(rounds);
    await sendQueued(ctx);
    chat.answer(200);
    const title = "ops was disabled: its address is gone";
    const problems = async () => (await listProblems(ctx)).filter(({ path }) => path.endsWith("/alerts"));
    expect(await problems()).toMatchObject([
      { title, detail: expect.stringContaining("The chat says that this address no longer exists.") },
    ]);
    expect(await database().orm.select().from(rounds)).toMatchObject([{ appId: ctx.app.id, name: "checks" }]);
    expect(await listChannels(ctx)).toMatchObject([
      { enabled: false, stoppedBecause: "The chat says that this address no longer exists." },
    ]);
    expect((await auditOf(ctx)).map(({ action }) => action)).toContain("alert_channel.disabled");
    await enableChannel(ctx, channelId);
    expect(await listChannels(ctx)).toMatchObject([{ enabled: true, stoppedBecause: null }]);
    expect(await problems()).toEqual([]);
  });

  test("that is deleted while the chat says that its address is gone is not disabled as well", async () => {
    const { ctx, channelId } = await watched();
    chat.answer(410);
    const { sending } = await database().transaction(async (db) => {
      await deleteChannel({ ...ctx, db }, channelId);
      const sending = sendAlert(database(), { appId: ctx.app.id, channelId, message: MESSAGE });
      await blockedBackends();
      return { sending };
    });
    await sending;
    chat.answer(200);
    const audited = (await auditOf(ctx)).map(({ action }) => action);
    expect(audited).toEqual(["alert_channel.created", "alert_channel.deleted"]);
  });

  test("that refuses for more than a minute is a problem with its reason, until it accepts something", async () => {
    const { ctx, channelId, assignCodes } = await watched();
    await assignCodes(3);
    await watchApp(ctx);
    chat.answer(403);
    const problems = async () =>
      (await listProblems(ctx)).filter(({ subject }) => subject === `channel ${channelId}`);
    for (let attempt = 1; attempt < 5; attempt++) await sendQueued(ctx);
    expect(await problems()).toEqual([]);
    await database().orm.delete(rounds);
    await sendQueued(ctx);
    const detail = expect.stringContaining(
      "an alert was not accepted. The chat refused the alert. Its address may have been revoked.",
    );
    expect(await problems()).toMatchObject([
      { kind: "backlog", title: "ops does not accept alerts", detail },
    ]);
    expect(await listChannels(ctx)).toMatchObject([{ enabled: true, stoppedBecause: detail }]);
    expect(await database().orm.select().from(rounds)).toMatchObject([{ appId: ctx.app.id, name: "checks" }]);
    chat.answer(200);
    await sendQueued(ctx);
    expect(await problems()).toEqual([]);
    expect(await listChannels(ctx)).toMatchObject([{ enabled: true, stoppedBecause: null }]);
  });

  test("is tested immediately, and the response names the fault", async () => {
    const { ctx, channelId, posts } = await watched();
    await sendTestAlert(ctx, channelId);
    expect(posts()).toEqual([expect.stringContaining("this is a test")]);
    for (const [status, reason] of [
      [401, "may have been revoked"],
      [403, "may have been revoked"],
      [404, "may have been revoked"],
      [410, "may have been revoked"],
      [302, "Check that the address is an incoming webhook"],
      [400, "Check that the address is an incoming webhook"],
      [408, "Check that the address is an incoming webhook"],
      [429, "accepts no more alerts for now"],
      [503, "The chat service reported an error"],
    ] as const) {
      chat.answer(status);
      const refused = sendTestAlert(ctx, channelId);
      await expect(refused).rejects.toThrow(new RegExp(`${reason}.*\\(HTTP ${status}\\)$`));
    }
    chat.answer(200);
    const target = "https://127.0.0.2:1/closed";
    const { id } = await createChannel(ctx, { type: "discord", name: "", target, kinds: ["quota"] });
    await expect(sendTestAlert(ctx, id)).rejects.toThrow(
      "The test was not confirmed. The connection was refused",
    );
  });

  test("never shows its address: not in lists, not in the audit log", async () => {
    const { ctx, path, channelId } = await watched();
    await updateChannel(ctx, { channelId, name: "on call", kinds: ["quota"] });
    expect(await listChannels(ctx)).toMatchObject([{ label: "on call", kinds: ["quota"] }]);
    expect(JSON.stringify([await listChannels(ctx), await auditOf(ctx)])).not.toContain(path);
    expect((await auditOf(ctx)).length).toBeGreaterThan(1);
  });

  test("of another app is not found", async () => {
    const { channelId } = await watched();
    const other = (await watched()).ctx;
    for (const call of [
      () => updateChannel(other, { channelId, name: "x", kinds: ["quota"] }),
      () => disableChannel(other, channelId),
      () => deleteChannel(other, channelId),
      () => sendTestAlert(other, channelId),
    ]) {
      await expect(call()).rejects.toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
    }
  });

  test.each([
    ["slack", "https://user:word@hooks.example.com/x", "target"],
    ["discord", "https://10.0.0.1/x", "target"],
    ["mail", "not a mailbox", "target"],
    ["slack", "", "target"],
  ] as const)("%s cannot lead to %s", async (type, target, field) => {
    const ctx = asTeamMember((await makeTenant()).ctx);
    await expect(createChannel(ctx, { type, name: "", target, kinds: ["quota"] })).rejects.toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", field }),
    );
  });
});

test("the chats of an app that do not answer hold up no other app's alerts", async () => {
  let ended = 0;
  const silent = createServer((_, response) => void response.once("close", () => (ended += 1)));
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => {
    silent.closeAllConnections();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const queue = async (target: string, ctx: Context) => {
    const { id } = await createChannel(ctx, { type: "slack", name: "", target, kinds: ["quota"] });
    await queuePost(ctx.db, { appId: ctx.app.id, channelId: id, message: MESSAGE });
  };
  const [{ ctx }, { ctx: other }] = [await makeTenant(), await makeTenant()];
  for (let count = 0; count < 10; count++)
    await queue(`http://127.0.0.1:${port}/${count}`, asTeamMember(ctx));
  await queue(chat.url("other"), asTeamMember(other));
  const stop = runQueue(alertQueue(database()));
  await vi.waitFor(() => expect(chat.posts.some(({ path }) => path === "/other")).toBe(true), 60_000);
  expect(ended).toBe(0);
  silent.closeAllConnections();
  await stop();
});

test("an app has at most 10 channels, also where several are added at once", async () => {
  const { ctx } = await makeTenant();
  const channel = { type: "slack", name: "", target: chat.url("many") } as const;
  const adding = Array.from({ length: 12 }, () =>
    createChannel(asTeamMember(ctx), { ...channel, kinds: ["quota"] }),
  );
  const added = await Promise.allSettled(adding);
  expect(added.filter(({ status }) => status === "rejected")).toHaveLength(2);
  expect(await listChannels(ctx)).toHaveLength(10);
});
