import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { uuidv7 } from "uuidv7";
import { afterAll, describe, expect, test, vi } from "vitest";
import { PersonFacts } from "@/components/person/facts";
import { ReferralFacts } from "@/components/referral/referral-facts";
import { SupportActions } from "@/components/referral/support-actions";
import { getPerson } from "@/lib/outward/person/get";
import { database } from "@/lib/platform/db/client";
import { waitingUids } from "@/lib/platform/db/schema";
import { applyAgain, applyDueEvents, loadEvent } from "@/lib/program/confirmations/apply-again";
import { type InboxRow, inboxRow, unreadableRow } from "@/lib/program/confirmations/inbox-row";
import { listUnmatched, listUnmatchedSince } from "@/lib/program/confirmations/list";
import { receiveRow } from "@/lib/program/confirmations/receive";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import { drainSpool, spoolDelivery } from "@/lib/program/confirmations/spool";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { exportEndUser } from "@/lib/program/end-users/export";
import { adapty } from "@/lib/program/providers/adapty/adapter";
import { generic } from "@/lib/program/providers/generic/adapter";
import { getReferral } from "@/lib/program/referrals/get";
import { linkCandidates } from "@/lib/program/referrals/link-candidates";
import { createInfluencer } from "@/lib/program/referrers/create-influencer";
import { findEndUsers } from "@/lib/program/referrers/find";
import { claimForInfluencer, grantRewards } from "@/lib/program/rewards/by-hand";
import { listRewards } from "@/lib/program/rewards/list";
import { codesAssigned } from "@/lib/testing/assigned-code";
import { applyEvent } from "@/lib/testing/confirm";
import { blockedBackends } from "@/lib/testing/database/locks";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { connectedApp } from "@/lib/testing/provider-events/deliver";
import { recorded } from "@/lib/testing/provider-events/recorded";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf, replaceCodeOf } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";

const folder = mkdtempSync(join(tmpdir(), "erase-payloads-"));
useService({ AUTH_SECRET: "a secret of the tests, 32 characters", DATA_DIR: folder });
afterAll(() => rmSync(folder, { recursive: true }));

const EVE = "eve@example.com";

const PURCHASE = { type: "referral.confirm" };

const naming = async (appId: string, text: string) =>
  Object.entries(await rowsOfApp(appId)).flatMap(([table, rows]) =>
    rows.some((row) => row.includes(text)) ? [table] : [],
  );

const delivery = (body: unknown) => ({
  headers: new Headers({ "webhook-id": uuidv7() }),
  rawBody: new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body)),
});

/** The row of a delivery that cannot be read. */
const unreadable = (body: unknown): InboxRow => unreadableRow(uuidv7(), delivery(body), "type is missing");

/** The row of a delivery of an app's own back end. */
const fromBackEnd = (body: unknown): InboxRow => inboxRow(uuidv7(), generic.read(delivery(body)));

test("an erased user is called that wherever support finds them, and no purchase is linked to them", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const first: string = (await api.redeem(EVE, metacode)).body.code;
  const referralId = await referralIdOf(ctx, EVE);
  await replaceCodeOf(ctx, referralId, "Expired");
  const second: string = (await api.redeem(EVE, metacode)).body.redemption.code;
  await api.redeem("ben", metacode);
  await applyEvent(ctx, "alias-of-eve");
  const [event] = (await listUnmatched(ctx)).data;
  const candidates = async (text?: string) =>
    (await linkCandidates(ctx, event?.id ?? "", text)).data.map(({ refereeUid }) => refereeUid);
  expect(await candidates()).toEqual(["ben", EVE]);
  await eraseEndUser(ctx, EVE);
  expect([await candidates(), await candidates("erased:")]).toEqual([["ben"], []]);
  const found = await Promise.all([first, second, referralId].map((text) => findEndUsers(ctx, text)));
  expect(found.flat()).toMatchObject([
    { section: "people", note: "Erased user, void" },
    { id: referralId, note: "Erased user" },
    { id: referralId, title: "Erased user" },
  ]);
  const referral = await getReferral(ctx, referralId);
  const person = await getPerson(ctx, referral.refereeUid ?? "");
  const events = await listUnmatchedSince(ctx, referral.createdAt, "ios");
  expect(events).toMatchObject([{ id: event?.id }]);
  const shown = [
    createElement(ReferralFacts, { base: "", referral }),
    createElement(PersonFacts, { base: "", person }),
  ].map((element) => renderToStaticMarkup(element));
  expect(shown.map((html) => html.split("Erased user").length - 1)).toEqual([1, 1]);
  const offered = SupportActions({ appId: "", retryHours: 0, referral, events, actions: {} as never });
  expect(shown + JSON.stringify(offered)).not.toMatch(/erased:|people\?uid|Copy the/);
});

test("an influencer without a user id is not called erased where support finds their codes, until they are", async () => {
  const tenant = await makeTenant({ campaign: { type: "influencer" } });
  const ctx = asTeamMember(tenant.ctx);
  const { id } = await createInfluencer(ctx, { campaignId: tenant.campaignId, metacode: "livingstar" });
  const uid = `influencer:${id}`;
  await grantRewards(ctx, { referrerId: id, platform: "ios", rewards: 1, reason: "10,000 views" });
  const [claimed] = (await claimForInfluencer(ctx, id)).claimed_rewards;
  const [reward] = (await listRewards(ctx, id)).data;
  await replaceCodeOf(ctx, reward?.id ?? "", "Expired");
  const [second] = await codesAssigned(tenant, reward?.id ?? "");
  const texts = [claimed, second].map((row) => row?.code ?? "");
  const found = async () => (await Promise.all(texts.map((text) => findEndUsers(ctx, text)))).flat();
  expect(await found()).toMatchObject([
    { section: "people", id: uid, note: "Influencer, void" },
    { section: "referrers", id, note: "Influencer" },
  ]);
  expect(await findEndUsers(ctx, uid)).toContainEqual(expect.objectContaining({ title: "Influencer" }));
  const person = await getPerson(ctx, uid);
  const shown = renderToStaticMarkup(createElement(PersonFacts, { base: "", person }));
  expect(shown).toMatch(/User ID<.*?>None</);
  expect(shown).not.toMatch(/Erased user|influencer:|Copy the/);
  await eraseEndUser(ctx, uid);
  expect((await found()).map(({ note }) => note)).toEqual(["Erased user, void", "Erased user"]);
});

describe("an event without a read id", () => {
  test("is exported and erased with the person whom its payload names as a whole text", async () => {
    const { ctx } = (await referringTenant()).tenant;
    for (const uid of [EVE, `${EVE}2`])
      await receiveRow(ctx.db, ctx.app.id, fromBackEnd({ type: "subscription.cancelled", app_user_id: uid }));
    const payload = { type: "subscription.cancelled", app_user_id: EVE };
    expect((await exportEndUser(ctx, EVE)).provider_events).toMatchObject([{ payload }]);
    await eraseEndUser(ctx, EVE);
    expect(await naming(ctx.app.id, `"${EVE}"`)).toEqual([]);
    expect(await naming(ctx.app.id, `${EVE}2`)).toEqual(["provider_events"]);
  });

  test.each([
    ["an object", unreadable({ event: { app_user_id: EVE } })],
    ["an escaped text", unreadable(String.raw`{"event": {"app_user_id": "ev\u0065@example.com"}}`)],
    ["a text that ends early", unreadable(`{"event": {"app_user_id": "${EVE}", "aliases": ["ev`)],
    ["an event of unknown type", fromBackEnd({ type: "subscription.cancelled", app_user_id: EVE })],
    // Each of these marks could begin a text that has no end.
    ["a text after 130,000 escaped marks", unreadable(`${String.raw`\"`.repeat(130_000)}\n"${EVE}"`)],
  ])("as %s, in a file until after the erasure, is emptied", { timeout: 30_000 }, async (_, row) => {
    const { tenant, api } = await referringTenant();
    const { ctx } = tenant;
    await api.referrer(EVE);
    expect(await spoolDelivery(ctx.app.id, row)).toBe(true);
    await eraseEndUser(ctx, EVE);
    expect(await drainSpool(ctx.db)).toBe(1);
    for (const text of [EVE, String.raw`ev\u0065`]) expect(await naming(ctx.app.id, text)).toEqual([]);
  });

  test("in a file that names no erased person keeps its payload", async () => {
    const { ctx } = (await referringTenant()).tenant;
    expect(await spoolDelivery(ctx.app.id, unreadable({ event: { app_user_id: `${EVE}2` } }))).toBe(true);
    await expect(eraseEndUser(ctx, EVE)).rejects.toMatchObject({ code: "NOT_FOUND" });
    expect(await drainSpool(ctx.db)).toBe(1);
    expect(await naming(ctx.app.id, `${EVE}2`)).toEqual(["provider_events"]);
  });
});

test("an event of another person, tried with an erased one, waits on, unlike the events of the erased one", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  expect(await applyEvent(ctx, "bob")).toBe("unmatched");
  const [event] = (await listUnmatched(ctx)).data;
  const tried = await linkConfirmation(ctx, { eventId: event?.id ?? "", uid: EVE, reason: "Perhaps hers" });
  expect(tried.status).toBe("unmatched");
  await receiveRow(ctx.db, ctx.app.id, fromBackEnd({ ...PURCHASE, app_user_id: EVE, aliases: ["eve"] }));
  await eraseEndUser(ctx, EVE);
  const waiting = await ctx.db.orm.select().from(waitingUids).where(eq(waitingUids.appId, ctx.app.id));
  expect(waiting.map(({ uid }) => uid)).toEqual(["bob"]);
  await api.redeem("bob", metacode);
  await applyDueEvents(ctx);
  expect((await listUnmatched(ctx)).data).toMatchObject([{ uids: [expect.stringMatching(/^erased:/)] }]);
});

test("an event of Adapty's loses its payload, and not its person, with another person who shares the subscription", async () => {
  const { ctx } = (await referringTenant()).tenant;
  const sharing = (...uids: string[]) => uids.map((uid) => ({ profile_id: uuidv7(), customer_user_id: uid }));
  for (const [uid, ...others] of [
    ["bob", "carl", EVE],
    ["dan", `${EVE}2`],
  ]) {
    const body = { event_type: "subscription_started", customer_user_id: uid };
    const read = adapty.read(delivery({ ...body, profiles_sharing_access_level: sharing(...others) }));
    await receiveRow(ctx.db, ctx.app.id, inboxRow(uuidv7(), read));
  }
  expect(await eraseEndUser(ctx, EVE)).toEqual({ referrals: 0, referrer: false });
  const { data } = await listUnmatched(ctx);
  expect(data.map(({ uids }) => uids)).toEqual([["dan"], ["bob"]]);
  expect(await naming(ctx.app.id, `"${EVE}"`)).toEqual([]);
  expect(await naming(ctx.app.id, `${EVE}2`)).toEqual(["provider_events"]);
});

test("no statement of an erasure reads all stored responses of an app with very many", async () => {
  const { tenant, api } = await referringTenant();
  const { ctx } = tenant;
  const { metacode } = (await api.referrer(EVE, { name: "Paula" })).body;
  await api.redeem("bob", metacode, "ios", {}, { "idempotency-key": "first" });
  await ctx.db.orm.execute(sql`
    insert into idempotency_keys (app_id, operation, key, request_hash, result)
    select app_id, operation, 'copy ' || n, request_hash, result from idempotency_keys, generate_series(1, 5500) n
     where app_id = ${ctx.app.id} and operation = 'redeem'`);
  const { execute } = ctx.db.orm;
  const changed: number[] = [];
  const watch: (...query: Parameters<typeof execute>) => Promise<unknown> = async (query) => {
    const done = await execute.call(ctx.db.orm, query);
    if (done.command === "UPDATE") changed.push(done.rowCount ?? 0);
    return done;
  };
  const watched = vi.spyOn(ctx.db.orm, "execute").mockImplementation(watch as typeof execute);
  await eraseEndUser(ctx, EVE);
  watched.mockRestore();
  expect(await naming(ctx.app.id, "Paula")).toEqual([]);
  expect(changed.filter((rows) => rows > 100)).toEqual([5_000, 501, 5_000, 501]);
});

test("an event that was read again before the erasure, and is stored after it, names no one", async () => {
  const { app, send } = await connectedApp();
  const { ctx } = app;
  const ids = { app_user_id: EVE, original_app_user_id: EVE, aliases: ["eve"] };
  expect((await send(recorded("initial_purchase", ids))).body.status).toBe("unmatched");
  // Older than what the second scrub reads.
  const id = "01900000-0000-7000-8000-000000000001";
  await ctx.db.orm.execute(sql`update provider_events set id = ${id} where app_id = ${ctx.app.id}`);
  const hold = await database().pool.connect();
  await hold.query("begin");
  await hold.query("select 1 from provider_events where app_id = $1 for update", [ctx.app.id]);
  const erasing = eraseEndUser(ctx, EVE);
  await blockedBackends();
  const applying = applyAgain(ctx.db, await loadEvent(ctx.db, ctx.app.id, id), true);
  await blockedBackends(2);
  await hold.query("rollback");
  hold.release();
  await Promise.all([erasing, applying]);
  expect(await naming(ctx.app.id, EVE)).toEqual([]);
});
