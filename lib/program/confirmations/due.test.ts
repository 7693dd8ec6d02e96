import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { identityLinks } from "@/lib/platform/db/schema";
import { applyDueEvents } from "@/lib/program/confirmations/apply-again";
import { listEvents } from "@/lib/program/confirmations/list";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { later } from "@/lib/testing/clock";
import { type ConfirmingApp, confirmingApp } from "@/lib/testing/provider-events/confirming-app";
import { useService } from "@/lib/testing/service";

const CONNECTION = "00000000-0000-7000-8000-000000000001";
const DAY = (day: number) => Date.UTC(2026, 0, day);

useService();

type Purchase = { at: number; purchase?: string };

async function send(
  app: ConfirmingApp,
  uid: string,
  kind: "confirm" | "reverse",
  { at, purchase }: Purchase,
) {
  const { status } = await receiveConfirmation(app.ctx, CONNECTION, {
    eventId: `${kind} ${at}`,
    type: kind,
    uids: [uid],
    payload: {},
    occurredAt: at,
    purchaseId: purchase ?? null,
    links: [],
    confirmation: { kind, paid: true, renewal: false, sandbox: false },
  });
  return status;
}

/** Adds 600 copies of a stranger's event, which match nothing. */
async function copyEvents(app: ConfirmingApp): Promise<void> {
  await database().orm.execute(sql`insert into provider_events
    select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid(), 'event_id', 'copy ' || n))).*
      from provider_events e cross join generate_series(1, 600) n
     where e.app_id = ${app.ctx.app.id} and e.uids = array['stranger']`);
}

test("a purchase that waits for its redemption is applied, however many refunds wait for nothing", async () => {
  const app = await confirmingApp(database());
  expect(await send(app, "a", "confirm", { at: DAY(1), purchase: "p" })).toBe("unmatched");
  await database().orm.execute(sql`update provider_events
    set created_at = ${later(sql`created_at`, -60)} where app_id = ${app.ctx.app.id}`);
  await send(app, "stranger", "reverse", { at: DAY(2), purchase: "q" });
  await copyEvents(app);
  await app.assign("a");
  await applyDueEvents(app.ctx);
  expect(await app.states()).toEqual({ a: "redeemed" });
});

test("a purchase is applied although the referral of another one is locked", async () => {
  const app = await confirmingApp(database());
  await send(app, "a", "confirm", { at: DAY(1), purchase: "p" });
  await send(app, "b", "confirm", { at: DAY(2), purchase: "q" });
  await app.assign("a", "b");
  const client = await database().pool.connect();
  onTestFinished(() => client.release());
  await client.query("begin");
  const row = "select 1 from referrals where app_id = $1 and referee_uid = 'b' for update";
  await client.query(row, [app.ctx.app.id]);
  await expect(applyDueEvents(app.ctx)).rejects.toThrow();
  expect(await app.states()).toEqual({ a: "redeemed", b: "code_assigned" });
  await client.query("rollback");
  await applyDueEvents(app.ctx);
  expect(await app.states()).toEqual({ a: "redeemed", b: "redeemed" });
});

test("a purchase is applied although five later ones of a locked person wait", async () => {
  const app = await confirmingApp(database());
  await send(app, "a", "confirm", { at: DAY(1), purchase: "p" });
  for (const day of [2, 3, 4, 5, 6]) await send(app, "b", "confirm", { at: DAY(day), purchase: `q${day}` });
  await app.assign("a", "b");
  const client = await database().pool.connect();
  onTestFinished(() => client.release());
  await client.query("begin");
  await client.query("set local idle_in_transaction_session_timeout = 0");
  const row = "select 1 from referrals where app_id = $1 and referee_uid = 'b' for update";
  await client.query(row, [app.ctx.app.id]);
  await expect(applyDueEvents(app.ctx)).rejects.toThrow();
  await client.query("rollback");
  expect(await app.states()).toEqual({ a: "redeemed", b: "code_assigned" });
});

test("a refund belongs to a purchase that came before the redemption, though a later one confirmed it", async () => {
  const app = await confirmingApp(database());
  expect(await send(app, "a", "confirm", { at: DAY(1), purchase: "p" })).toBe("unmatched");
  await app.assign("a");
  expect(await send(app, "a", "confirm", { at: DAY(3), purchase: "p" })).toBe("confirmed");
  expect(await send(app, "a", "reverse", { at: DAY(2), purchase: "p" })).toBe("reversed");
  expect(await app.states()).toEqual({ a: "reversed" });
  expect((await listEvents(app.ctx)).data.map(({ verdict }) => verdict).sort()).toEqual([
    "already_confirmed",
    "confirmed",
    "reversed",
  ]);
});

test("a refund is applied, however many purchases of users with linked ids match nothing", async () => {
  const app = await confirmingApp(database());
  expect(await send(app, "a", "confirm", { at: DAY(1) })).toBe("unmatched");
  await app.assign("a");
  expect(await send(app, "a", "confirm", { at: DAY(3) })).toBe("confirmed");
  expect(await send(app, "a", "reverse", { at: DAY(2) })).toBe("unmatched");
  await database().orm.insert(identityLinks).values({
    appId: app.ctx.app.id,
    fromUid: "stranger",
    toUid: "customer",
    type: "alias",
    eventId: CONNECTION,
  });
  await send(app, "stranger", "confirm", { at: DAY(4), purchase: "q" });
  await copyEvents(app);
  await applyDueEvents(app.ctx);
  expect(await app.states()).toEqual({ a: "reversed" });
});
