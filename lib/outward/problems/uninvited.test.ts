import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test, vi } from "vitest";
import { purchaseIds } from "@/lib/outward/integration/check-ids";
import { providerProblems } from "@/lib/outward/problems/detect-providers";
import { campaigns, identityLinks, providerEvents } from "@/lib/platform/db/schema";
import { diagnoseEvents } from "@/lib/program/confirmations/diagnose";
import { listUnmatched, listUnmatchedSince } from "@/lib/program/confirmations/list";
import { dismissUninvited } from "@/lib/program/confirmations/resolve";
import { joinUids } from "@/lib/program/end-users/join";
import { diagnoseReferral } from "@/lib/program/referrals/doctor-facts";
import { getReferral } from "@/lib/program/referrals/get";
import type { Context } from "@/lib/tenants/context";
import { stopClock } from "@/lib/testing/clock";
import { applyEvent } from "@/lib/testing/confirm";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf, referralIdOf } from "@/lib/testing/support";

useService();

/** Dismisses events that are no longer of the last hour. */
async function dismissLater(ctx: Context) {
  const old = { createdAt: sql`now() - interval '61 minutes'` };
  await ctx.db.orm.update(providerEvents).set(old).where(eq(providerEvents.appId, ctx.app.id));
  return dismissUninvited(ctx);
}

const lostOf = async (ctx: Context) => (await listUnmatched(ctx, { lost: true })).data.flatMap((e) => e.uids);

test("purchases and refunds of buyers without an invitation are listed apart, raise nothing, and are dismissed together", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  for (let buyer = 0; buyer < 12; buyer++) await applyEvent(ctx, `buyer-${buyer}`);
  for (let buyer = 0; buyer < 12; buyer++) await applyEvent(ctx, `buyer-${buyer}`, "reverse");
  expect(await providerProblems(ctx, new Map(), [])).toEqual([]);
  await applyEvent(ctx, "$RCAnonymousID:1");
  await api.redeem("ben", metacode);
  await applyEvent(ctx, "ben", "reverse");
  expect(await lostOf(ctx)).toEqual(["ben", "$RCAnonymousID:1"]);
  expect((await listUnmatched(ctx, { lost: false })).data).toHaveLength(24);
  expect(await providerProblems(ctx, new Map(), [])).toMatchObject([
    { kind: "unmatched", severity: "hint", title: "2 confirmations without a referral" },
  ]);
  // Their buyers may still redeem, also where the clock of this machine is ahead.
  stopClock();
  vi.setSystemTime(Date.now() + 7_200_000);
  expect(await dismissUninvited(ctx)).toEqual({ dismissed: 0 });
  expect(await dismissLater(ctx)).toEqual({ dismissed: 24 });
  expect(await lostOf(ctx)).toHaveLength(2);
  expect((await listUnmatched(ctx)).data).toHaveLength(2);
  expect((await listUnmatched(ctx, { verdict: "dismissed" })).data).toHaveLength(24);
  expect(await auditOf(ctx)).toMatchObject([{ action: "event.dismissed_many", after: { events: 24 } }]);
});

test("an id that is linked to a person's stands for that person: in line, or with a refund before its purchase", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 1 });
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("ann's friend", metacode);
  expect((await api.redeem("ben", metacode)).status).toBe(503);
  await joinUids(ctx, { uid: "ben", otherUid: "rc-ben", reason: "His receipt", keepApart: "true" });
  await joinUids(ctx, { uid: "rc-friend", otherUid: "rc-old", reason: "A receipt", keepApart: "true" });
  await joinUids(ctx, { uid: "rc-old", otherUid: "ann's friend", reason: "A receipt", keepApart: "true" });
  await ctx.db.orm.execute(
    sql`update referrals set created_at = now() - interval '1 day' where app_id = ${ctx.app.id}`,
  );
  for (const uid of ["rc-ben", "stranger"]) await applyEvent(ctx, uid);
  for (const uid of ["rc-friend", "stranger"]) await applyEvent(ctx, uid, "reverse");
  expect(await lostOf(ctx)).toEqual(["rc-friend", "rc-ben"]);
  expect(await dismissLater(ctx)).toEqual({ dismissed: 2 });
});

test("an id four links away shows its sign beside many others, which the links between reach again and again", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  await api.redeem("far", metacode);
  const near = Array.from({ length: 28 }, (_, n) => ["hub", `near-${n}`]);
  const link = { appId: ctx.app.id, type: "alias", eventId: uuidv7() } as const;
  for (const [fromUid = "", toUid = ""] of [...near, ["near-0", "two"], ["two", "three"], ["three", "far"]])
    await ctx.db.orm.insert(identityLinks).values({ ...link, fromUid, toUid });
  await applyEvent(ctx, "hub", "reverse");
  expect((await listUnmatched(ctx, { lost: true })).data).toMatchObject([{ uids: ["hub"] }]);
});

test("a refund that its referral no longer takes, or of another purchase, is no sign; one that should reverse it is", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 5 });
  const { ctx } = tenant;
  const friends = ["ben", "cem", "dan", "eve", "fay"];
  for (const [n, uid] of friends.entries()) {
    await api.redeem(uid, metacode);
    if (uid !== "fay") await applyEvent(ctx, uid, "confirm", { purchase: `order_${n}` });
  }
  const tell = async (uid: string, kind: "confirm" | "reverse" | "restore", purchase: string) =>
    await applyEvent(ctx, uid, kind, { purchase });
  expect(await tell("ben", "reverse", "order_0")).toBe("reversed");
  expect(await tell("ben", "reverse", "order_0")).toBe("unmatched");
  expect(await tell("cem", "restore", "order_1")).toBe("unmatched");
  expect(await tell("dan", "confirm", "coins")).toBe("already_confirmed");
  expect(await tell("dan", "reverse", "coins")).toBe("unmatched");
  expect(await providerProblems(ctx, new Map(), [])).toEqual([]);
  expect((await listUnmatched(ctx, { lost: false })).data).toHaveLength(3);
  expect(await tell("eve", "reverse", "refund_4")).toBe("unmatched");
  expect(await tell("fay", "reverse", "order_5")).toBe("unmatched");
  expect(await lostOf(ctx)).toEqual(["fay", "eve"]);
  const opens = "Open the refunds of referees: each says why it has changed no referral.";
  const detailOf = async () => (await providerProblems(ctx, new Map(), []))[0]?.detail;
  expect(await detailOf()).toBe(opens);
  for (let more = 0; more < 9; more++) await tell("eve", "reverse", `refund_4${more}`);
  expect(await providerProblems(ctx, new Map(), [])).toMatchObject([{ severity: "warning", detail: opens }]);
  await applyEvent(ctx, "$RCAnonymousID:1");
  expect(await detailOf()).toMatch(new RegExp(`^Check the user IDs: .*${opens}$`));
});

test("purchases of people in line ask for codes, those of unknown buyers for their user IDs", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 1 });
  await api.redeem("first", metacode);
  const detailOf = async () => (await providerProblems(tenant.ctx, new Map(), []))[0]?.detail;
  const buys = async (prefix: string, from: number, to: number) => {
    for (let buyer = from; buyer < to; buyer++) await applyEvent(tenant.ctx, `${prefix}${buyer}`);
  };
  for (let buyer = 0; buyer < 10; buyer++) await api.redeem(`waits-${buyer}`, metacode);
  await buys("waits-", 0, 9);
  const codes =
    "Import codes: people in line have made purchases. Replay their purchases once they have redeemed.";
  expect(await detailOf()).toBe(codes);
  await buys("waits-", 9, 10);
  expect(await detailOf()).toBe(codes);
  await buys("$RCAnonymousID:", 0, 1);
  expect(await detailOf()).toMatch(new RegExp(`^Check the user IDs: .*${codes}$`));
});

test("more than a thousand are dismissed in two calls, each audited with its number", async () => {
  const { tenant } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await applyEvent(ctx, "buyer");
  await ctx.db.orm.execute(sql`
    insert into provider_events
    select (jsonb_populate_record(e, jsonb_build_object('id', new_id(), 'event_id', 'copy ' || n))).*
      from provider_events e, generate_series(1, 1002) n where e.app_id = ${ctx.app.id}`);
  expect(await dismissLater(ctx)).toEqual({ dismissed: 1_000 });
  expect(await dismissUninvited(ctx)).toEqual({ dismissed: 3 });
  expect(await dismissUninvited(ctx)).toEqual({ dismissed: 0 });
  expect((await auditOf(ctx)).map(({ after }) => after)).toEqual([{ events: 1_000 }, { events: 3 }]);
});

test("a redemption shortly before is a sign while few people redeem, and none among many", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 10 });
  await api.redeem("ben", metacode);
  await applyEvent(tenant.ctx, "early-buyer");
  expect(await lostOf(tenant.ctx)).toEqual(["early-buyer"]);
  for (const uid of ["cem", "dan", "eva"]) await api.redeem(uid, metacode);
  await applyEvent(tenant.ctx, "late-buyer");
  expect(await lostOf(tenant.ctx)).toEqual(["early-buyer"]);
});

test("a buyer whom a provider does not name is a sign, whatever its own ids look like, and counts for the diagnosis", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  await api.redeem("ben", metacode);
  await applyEvent(ctx, "7d2f5c1e-0000-4000-8000-000000000001", "confirm", { unnamed: true });
  await applyEvent(ctx, "a:7d2f5c1e-0000-4000-8000-000000000002");
  await applyEvent(ctx, "7d2f5c1e-0000-4000-8000-000000000003");
  await api.redeem("many", metacode);
  const events = (await listUnmatched(ctx)).data;
  expect((await diagnoseEvents(ctx, events))[events[2]?.id ?? ""]).toMatchObject({ why: "anonymous" });
  const referral = await getReferral(ctx, await referralIdOf(ctx, "ben"));
  const offered = await listUnmatchedSince(ctx, referral.createdAt, "ios");
  expect(await diagnoseReferral(ctx, referral, offered)).toContainEqual({ why: "anonymous", events: 2 });
  await ctx.db.orm.execute(
    sql`update referrals set created_at = now() - interval '1 day' where app_id = ${ctx.app.id}`,
  );
  expect((await listUnmatched(ctx, { lost: true })).data).toHaveLength(2);
});

test("where the app redeems with the provider's ids, one of them is no sign, but a purchase without any id is", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  for (let buyer = 0; buyer < 12; buyer++) await applyEvent(ctx, `$RCAnonymousID:${buyer}`);
  expect(await providerProblems(ctx, new Map(), [])).toMatchObject([{ severity: "warning" }]);
  await api.redeem("$RCAnonymousID:ben", metacode);
  expect(await applyEvent(ctx, "$RCAnonymousID:ben")).toBe("confirmed");
  expect(await providerProblems(ctx, new Map(), [])).toEqual([]);
  await applyEvent(ctx, "");
  expect((await listUnmatched(ctx, { lost: true })).data).toMatchObject([{ uids: [] }]);
  expect((await listUnmatched(ctx, { lost: false })).data).toHaveLength(12);
  for (const uid of ["ada", "eve"]) {
    await api.redeem(uid, metacode);
    await applyEvent(ctx, uid);
  }
  expect((await listUnmatched(ctx, { lost: true })).data).toHaveLength(13);
});

test("a renewal or refund that names only Stripe's customer is no sign: the first purchase may be from before the connection", async () => {
  const { tenant } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const since = new Date(Date.now() - 60_000);
  const unnamed = { unnamed: true } as const;
  for (let buyer = 0; buyer < 12; buyer++) {
    await applyEvent(ctx, `cus_${buyer}`, "confirm", { ...unnamed, renewal: true });
    await applyEvent(ctx, `cus_${buyer}`, "reverse", unnamed);
  }
  expect(await providerProblems(ctx, new Map(), [])).toEqual([]);
  await applyEvent(ctx, "cus_new", "confirm", unnamed);
  expect(await lostOf(ctx)).toEqual(["cus_new"]);
  const offered = await listUnmatchedSince(ctx, since, "ios");
  expect(offered.filter(({ anonymous }) => anonymous)).toMatchObject([{ uids: ["cus_new"] }]);
  expect(offered[0]?.uids).toEqual(["cus_new"]);
  expect(await dismissLater(ctx)).toEqual({ dismissed: 24 });
});

test("renewals that are found by the provider's own ids tell as well that the app redeems with these ids", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  await ctx.db.orm.update(campaigns).set({ confirmAnyRenewal: true }).where(eq(campaigns.appId, ctx.app.id));
  await applyEvent(ctx, "profile-1", "confirm", { unnamed: true });
  expect((await listUnmatched(ctx, { lost: true })).data).toHaveLength(1);
  await api.redeem("profile-2", metacode);
  const renewal = { unnamed: true, renewal: true } as const;
  expect(await applyEvent(ctx, "profile-2", "confirm", renewal)).toBe("confirmed");
  expect((await listUnmatched(ctx, { lost: true })).data).toEqual([]);
});

test.each([
  ["of a checkout", { fromUid: "cus_linked", toUid: "ann" }],
  ["by hand, stored in the other direction,", { fromUid: "ann", toUid: "cus_linked" }],
])("a provider's own id counts as the app's where a link %s names the person", async (type, ids) => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  await api.redeem("ben", metacode);
  for (const customer of ["cus_linked", "cus_other"])
    await applyEvent(ctx, customer, "confirm", { unnamed: true });
  const check = () => purchaseIds(ctx, new Date(0));
  await ctx.db.orm.execute(
    sql`update referrals set created_at = now() - interval '1 day' where app_id = ${ctx.app.id}`,
  );
  expect(await lostOf(ctx)).toEqual(["cus_other", "cus_linked"]);
  expect(await check()).toMatchObject({ evidence: [expect.stringContaining("2 of 2")] });
  const link = { appId: ctx.app.id, ...ids, type, eventId: uuidv7() };
  await ctx.db.orm.insert(identityLinks).values(link);
  expect(await lostOf(ctx)).toEqual(["cus_other"]);
  expect(await check()).toMatchObject({ evidence: [expect.stringContaining("1 of 2")] });
  const events = (await listUnmatched(ctx)).data;
  const why = await diagnoseEvents(ctx, events);
  expect(events.map(({ id }) => why[id]?.why)).toEqual(["anonymous", "never_redeemed"]);
  const offered = await listUnmatchedSince(ctx, new Date(0), "ios");
  expect(offered.map(({ uids, anonymous }) => [uids[0], anonymous])).toEqual([
    ["cus_other", true],
    ["cus_linked", false],
  ]);
});
