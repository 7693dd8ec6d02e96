import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { database } from "@/lib/platform/db/client";
import { listEvents, listUnmatched } from "@/lib/program/confirmations/list";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import type { Confirmation, ProviderEvent } from "@/lib/program/providers/common/adapter";
import { sweepApp } from "@/lib/program/retention/sweep-tenant";
import { applyEvent } from "@/lib/testing/confirm";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";

const CONNECTION = "00000000-0000-7000-8000-000000000001";

useService();

let number = 0;

function event(uid: string | string[], changes: Partial<Confirmation> = {}, eventId?: string): ProviderEvent {
  number += 1;
  return {
    eventId: eventId ?? `event-${number}`,
    type: "TEST",
    uids: [uid].flat(),
    confirmation: { kind: "confirm", paid: true, renewal: false, sandbox: false, ...changes },
    payload: { number },
    occurredAt: null,
    purchaseId: null,
    links: [],
  };
}

const send = (app: ConfirmingApp, event: ProviderEvent) => receiveConfirmation(app.ctx, CONNECTION, event);

async function status(app: ConfirmingApp, uid: string | string[], changes: Partial<Confirmation> = {}) {
  return (await send(app, event(uid, changes))).status;
}

test("a confirmation redeems the referral, confirms its code and is emitted", async () => {
  const app = await confirmingApp(database());
  await app.assign("a", "b");
  expect(await send(app, event("a"))).toMatchObject({ status: "confirmed", matched: true });
  expect(await app.states()).toEqual({ a: "redeemed", b: "code_assigned" });
  expect(await app.codes()).toEqual({ a: "confirmed", b: "assigned" });
  expect(await app.counts()).toEqual({ confirmed: 1, earned: 0, rewards: 0 });
  expect(await app.emitted()).toEqual({ "referral.redeemed": 1 });
});

test("the threshold earns a reward once, whatever refunds and restorations follow", async () => {
  const app = await confirmingApp(database(), { threshold: 2 });
  await app.assign("a", "b", "c");
  for (const uid of ["a", "b"]) await status(app, uid);
  expect(await app.counts()).toEqual({ confirmed: 2, earned: 1, rewards: 1 });

  const refund = event("b", { kind: "reverse" });
  expect((await send(app, refund)).status).toBe("reversed");
  expect((await send(app, refund)).status).toBe("duplicate");
  expect(await status(app, "b", { kind: "reverse" })).toBe("unmatched");
  expect(await app.states()).toMatchObject({ b: "reversed" });
  expect(await app.counts()).toEqual({ confirmed: 1, earned: 1, rewards: 1 });

  expect(await status(app, "b")).toBe("already_confirmed");
  expect(await status(app, "b", { kind: "restore" })).toBe("restored");
  expect(await status(app, "b", { kind: "restore" })).toBe("unmatched");
  expect(await app.counts()).toEqual({ confirmed: 2, earned: 1, rewards: 1 });
  expect(await app.emitted()).toEqual({ "referral.redeemed": 3, "referral.reversed": 1, "reward.earned": 1 });
});

test("rewards stop at the cap, and an influencer's campaign has none", async () => {
  const capped = await confirmingApp(database(), { threshold: 1, rewardCap: 2 });
  const influencer = await confirmingApp(database(), { threshold: 1, type: "influencer" });
  for (const app of [capped, influencer]) {
    await app.assign("a", "b", "c");
    for (const uid of ["a", "b", "c"]) await status(app, uid);
  }
  expect(await capped.counts()).toEqual({ confirmed: 3, earned: 2, rewards: 2 });
  expect(await influencer.counts()).toEqual({ confirmed: 3, earned: 0, rewards: 0 });
});

test("the ids are tried in their order, byte by byte", async () => {
  const app = await confirmingApp(database());
  await app.assign("a", "A", "b");
  expect(await status(app, ["stranger", "b", "a"])).toBe("confirmed");
  expect(await app.states()).toEqual({ a: "code_assigned", A: "code_assigned", b: "redeemed" });
  expect(await status(app, ["a "])).toBe("unmatched");
  expect(await status(app, [])).toBe("unmatched");
});

test("a campaign that wants money waits for it", async () => {
  const app = await confirmingApp(database(), { confirmOn: "paid" });
  await app.assign("a");
  expect(await send(app, event("a", { paid: false }))).toMatchObject({ status: "not_paid", matched: true });
  expect(await app.states()).toEqual({ a: "code_assigned" });
  expect(await status(app, "a")).toBe("confirmed");
});

test("it counts the renewal after a trial of the referral, in any order, and none before it", async () => {
  const app = await confirmingApp(database(), { confirmOn: "paid" });
  await app.assign("a", "b");
  const [trial, renewal] = [{ paid: false }, { renewal: true }];
  const tell = (uid: string, day: number, changes: Partial<Confirmation>) =>
    applyEvent(app.ctx, uid, "confirm", { at: Date.UTC(2026, 0, day), purchase: `of ${uid}`, ...changes });
  expect(await tell("a", 1, renewal)).toBe("renewal");
  expect(await tell("a", 2, trial)).toBe("not_paid");
  expect(await app.states()).toEqual({ a: "code_assigned", b: "code_assigned" });
  expect(await tell("a", 9, renewal)).toBe("confirmed");
  expect(await tell("b", 9, renewal)).toBe("renewal");
  expect(await tell("b", 2, trial)).toBe("not_paid");
  expect(await app.states()).toEqual({ a: "redeemed", b: "redeemed" });
  expect(await app.counts()).toMatchObject({ confirmed: 2 });
});

test("it counts the renewal after a trial that was longer than events are stored", async () => {
  const app = await confirmingApp(database(), { confirmOn: "paid" });
  await app.assign("a");
  const tell = (month: number, purchase: string, changes: Partial<Confirmation>) =>
    applyEvent(app.ctx, "a", "confirm", { at: Date.UTC(2026, month, 1), purchase, ...changes });
  expect(await tell(0, "trial", { paid: false })).toBe("not_paid");
  await sweepApp(database(), app.ctx.app.id, new Date(Date.now() + 91 * DAY_MS));
  expect((await listEvents(app.ctx)).data).toEqual([]);
  expect(await tell(3, "older", { renewal: true })).toBe("renewal");
  expect(await tell(3, "trial", { renewal: true })).toBe("confirmed");
});

test("a plain renewal confirms only if the campaign says so", async () => {
  const strict = await confirmingApp(database());
  const open = await confirmingApp(database(), { confirmAnyRenewal: true });
  for (const app of [strict, open]) await app.assign("a");
  expect(await status(strict, "a", { renewal: true })).toBe("renewal");
  expect(await strict.states()).toEqual({ a: "code_assigned" });
  expect(await status(open, "a", { renewal: true })).toBe("confirmed");
});

test("a sandbox purchase confirms only in a sandbox app", async () => {
  const live = await confirmingApp(database());
  const sandbox = await confirmingApp(database(), { sandbox: true });
  for (const app of [live, sandbox]) await app.assign("a");
  expect(await send(live, event("a", { sandbox: true }))).toMatchObject({
    status: "sandbox",
    matched: false,
  });
  expect(await live.states()).toEqual({ a: "code_assigned" });
  expect(await status(sandbox, "a", { sandbox: true })).toBe("confirmed");
});

test("only the connection's app changes, and each app stores its own event", async () => {
  const [first, other] = [await confirmingApp(database()), await confirmingApp(database())];
  for (const app of [first, other]) await app.assign("same");
  const purchase = event("same");
  expect((await send(first, purchase)).status).toBe("confirmed");
  expect(await other.states()).toEqual({ same: "code_assigned" });
  expect(await other.counts()).toEqual({ confirmed: 0, earned: 0, rewards: 0 });
  expect((await listEvents(other.ctx)).data).toEqual([]);
  expect((await send(other, purchase)).status).toBe("confirmed");
});

test("an ignored event is stored and changes nothing", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  expect(await send(app, event("a", { kind: "ignore" }))).toMatchObject({
    status: "ignored",
    matched: false,
  });
  expect(await app.states()).toEqual({ a: "code_assigned" });
  expect((await listEvents(app.ctx)).data).toMatchObject([{ verdict: "ignored", uids: ["a"] }]);
});

test("an event with text that PostgreSQL cannot store is stored in an escaped form", async () => {
  const app = await confirmingApp(database());
  await app.assign("a");
  const deep: unknown = JSON.parse("[".repeat(9_000) + "]".repeat(9_000));
  const purchase = {
    ...event(["\0", "\ud800", "a"], {}, "x\0".repeat(3_000)),
    type: "\0\udfff",
    payload: { "\0": ["\ud800"], deep },
  };
  expect((await send(app, purchase)).status).toBe("confirmed");
  expect((await send(app, purchase)).status).toBe("duplicate");
  expect((await listEvents(app.ctx)).data).toMatchObject([{ uids: ["a"], type: "\u{FFFD}\u{FFFD}" }]);
});

test("an unmatched event is listed, linked by hand once, and counts like any other", async () => {
  const [app, other] = [await confirmingApp(database(), { threshold: 1 }), await confirmingApp(database())];
  await app.assign("a");
  const purchase = event("unknown");
  expect(await send(app, purchase)).toEqual({ status: "unmatched", matched: false, referralId: null });
  const [row] = (await listUnmatched(app.ctx)).data;
  const id = row?.id ?? "";
  expect(row).toMatchObject({ eventId: purchase.eventId, uids: ["unknown"], payload: purchase.payload });

  const missing = expect.objectContaining({ code: "NOT_FOUND" });
  await expect(linkConfirmation(other.ctx, { eventId: id, uid: "a", reason: "The receipt" })).rejects.toThrow(
    missing,
  );
  await expect(
    linkConfirmation(app.ctx, { eventId: "no-uuid", uid: "a", reason: "The receipt" }),
  ).rejects.toThrow(expect.objectContaining({ code: "VALIDATION_ERROR", field: "eventId" }));
  await expect(linkConfirmation(app.ctx, { eventId: id, uid: "a\0", reason: "The receipt" })).rejects.toThrow(
    expect.objectContaining({ code: "VALIDATION_ERROR", field: "uid" }),
  );
  expect((await linkConfirmation(app.ctx, { eventId: id, uid: "b", reason: "The receipt" })).status).toBe(
    "unmatched",
  );
  const twice = await Promise.allSettled([
    linkConfirmation(app.ctx, { eventId: id, uid: "a", reason: "The receipt" }),
    linkConfirmation(app.ctx, { eventId: id, uid: "a", reason: "The receipt" }),
  ]);
  expect(twice.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);

  expect(await app.counts()).toEqual({ confirmed: 1, earned: 1, rewards: 1 });
  expect((await listUnmatched(app.ctx)).data).toEqual([]);
  expect(await send(app, purchase)).toMatchObject({ status: "duplicate", matched: true });
});

test("both lists come page by page, newest first, each event once, events of the same time too", async () => {
  const app = await confirmingApp(database());
  for (const uid of ["1", "2", "3", "4", "5"]) await status(app, uid);
  await database().orm.execute(
    sql`update provider_events set created_at = '2026-01-01' where app_id = ${app.ctx.app.id}`,
  );
  for (const list of [listEvents, listUnmatched]) {
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const { data, nextCursor } = await list(app.ctx, { limit: 2, cursor });
      seen.push(...data.flatMap((row) => row.uids));
      cursor = nextCursor ?? undefined;
    }
    expect(seen).toEqual(["5", "4", "3", "2", "1"]);
    expect(cursor).toBeUndefined();
  }
});
