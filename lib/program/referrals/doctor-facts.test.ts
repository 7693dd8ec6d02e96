import { eq, sql } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { Doctor } from "@/components/referral/doctor";
import {
  apps,
  campaigns,
  connectionRefusals,
  providerConnections,
  providerEvents,
  referrals,
} from "@/lib/platform/db/schema";
import { listUnmatched, listUnmatchedSince } from "@/lib/program/confirmations/list";
import { receiveConfirmation } from "@/lib/program/confirmations/receive";
import { replayConfirmation } from "@/lib/program/confirmations/replay";
import { dismissConfirmation, linkConfirmation } from "@/lib/program/confirmations/resolve";
import { createConnection } from "@/lib/program/connections/create";
import type { Confirmation } from "@/lib/program/providers/common/adapter";
import { diagnoseReferral } from "@/lib/program/referrals/doctor-facts";
import { getReferral } from "@/lib/program/referrals/get";
import { applyEvent } from "@/lib/testing/confirm";
import { inParallel } from "@/lib/testing/parallel";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf } from "@/lib/testing/support";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

const PURCHASE: Confirmation = { kind: "confirm", paid: true, renewal: false, sandbox: false };
const IGNORED: Confirmation = { ...PURCHASE, kind: "ignore" };

const hoursAgo = (hours: number) => ({ createdAt: sql`now() - make_interval(hours => ${hours})` });

/** An app with a metacode and a provider. */
async function connected() {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const { orm } = ctx.db;
  const { id: connection } = await createConnection(ctx, { provider: "revenuecat" });
  const receive = (
    uid: string,
    confirmation: Confirmation,
    type = "INITIAL_PURCHASE",
    payload = {},
    purchaseId: string | null = null,
  ) => {
    const event = { eventId: uuidv7(), type, uids: [uid], payload, confirmation };
    return receiveConfirmation(ctx, connection, { ...event, occurredAt: null, purchaseId, links: [] });
  };
  const eventsWere = (hours: number) =>
    orm.update(providerEvents).set(hoursAgo(hours)).where(eq(providerEvents.appId, ctx.app.id));
  const redeemedWas = (hours: number) =>
    orm.update(referrals).set(hoursAgo(hours)).where(eq(referrals.appId, ctx.app.id));
  const look = async () => {
    const referral = await getReferral(ctx, await referralIdOf(ctx, "ben"));
    const offered = await listUnmatchedSince(ctx, referral.createdAt, "ios");
    return { referral, offered, findings: await diagnoseReferral(ctx, referral, offered) };
  };
  return { ctx, connection, api, metacode, receive, eventsWere, redeemedWas, look };
}

test("a purchase in a web shop since the redemption is a finding, because it is ignored; an earlier event is not", async () => {
  const { api, metacode, receive, eventsWere, redeemedWas, look } = await connected();
  await receive("ben", IGNORED, "EXPIRATION", { store: "STRIPE" });
  await eventsWere(5);
  await api.redeem("ben", metacode);
  await redeemedWas(2);
  expect((await look()).findings).toMatchObject([{ why: "silent" }]);
  await receive("ben", IGNORED, "INITIAL_PURCHASE", { store: "STRIPE" });
  expect((await look()).findings).toMatchObject([{ why: "ignored", type: "INITIAL_PURCHASE" }]);
});

test("a purchase that reached another app since the redemption is a finding, also a real one in a sandbox; no other event is", async () => {
  const { ctx, api, metacode, redeemedWas, look } = await connected();
  const { ctx: sister } = (await referringTenant()).tenant;
  const setSister = (values: Partial<typeof apps.$inferInsert>) =>
    ctx.db.orm.update(apps).set(values).where(eq(apps.id, sister.app.id));
  await setSister({ workspaceId: ctx.workspace.id });
  await applyEvent(sister, "ben");
  await ctx.db.orm.update(providerEvents).set(hoursAgo(9)).where(eq(providerEvents.appId, sister.app.id));
  await api.redeem("ben", metacode);
  await redeemedWas(2);
  await applyEvent(sister, "ben", "ignore");
  expect((await look()).findings).toMatchObject([{ why: "silent" }]);
  await applyEvent(sister, "ben");
  const otherApp = [{ why: "other_app", app: { id: sister.app.id } }];
  expect((await look()).findings).toMatchObject(otherApp);
  // Nor is one of another tenant's app, or of a deleted one.
  for (const values of [{ workspaceId: sister.workspace.id }, { deletedAt: new Date() }]) {
    await setSister(values);
    expect((await look()).findings).toMatchObject([{ why: "silent" }]);
    await setSister({ workspaceId: ctx.workspace.id, deletedAt: null });
  }
  await setSister({ sandbox: true });
  expect((await look()).findings).toMatchObject(otherApp);
  await ctx.db.orm
    .update(providerEvents)
    .set({ confirmation: { ...PURCHASE, sandbox: true } })
    .where(eq(providerEvents.appId, sister.app.id));
  expect((await look()).findings).toMatchObject([{ why: "silent" }]);
});

test("deliveries that were refused before the redemption are not counted", async () => {
  const { ctx, connection, api, metacode, redeemedWas, look } = await connected();
  await api.redeem("ben", metacode);
  await redeemedWas(2);
  const refused = (hours: number, deliveries: number) => {
    const lastAt = new Date(Date.now() - hours * 3_600_000);
    return { appId: ctx.app.id, connectionId: connection, hour: lastAt, lastAt, deliveries };
  };
  const refusals = [refused(3, 5), refused(1, 1)];
  await ctx.db.orm.insert(connectionRefusals).values(refusals);
  await ctx.db.orm
    .update(providerConnections)
    .set({ refusedAt: refusals[1]?.lastAt })
    .where(eq(providerConnections.appId, ctx.app.id));
  expect((await look()).findings).toMatchObject([
    { why: "refused", connections: [{ id: connection, deliveries: 1 }] },
  ]);
});

test("a refund whose purchase has not come is a finding", async () => {
  const { api, metacode, receive, look } = await connected();
  await api.redeem("ben", metacode);
  await receive("ben", { ...PURCHASE, kind: "reverse" }, "CANCELLATION");
  const { findings } = await look();
  expect(findings).toMatchObject([{ why: "refund", type: "CANCELLATION" }]);
  expect(renderToStaticMarkup(createElement(Doctor, { base: "/app", findings }))).toContain("is a refund");
});

test("a refund from before the redemption is that of another purchase, and no finding", async () => {
  const { api, metacode, receive, eventsWere, look } = await connected();
  await receive("ben", { ...PURCHASE, kind: "reverse" }, "CANCELLATION");
  await eventsWere(24);
  await api.redeem("ben", metacode);
  expect((await look()).findings).toMatchObject([{ why: "recent" }]);
});

test.each(["older_purchase", "dismissed"])(
  "the advice of the finding %s works: the event is replayed",
  async (why) => {
    const { ctx, api, metacode, receive, eventsWere, look } = await connected();
    await receive("ben", PURCHASE);
    await eventsWere(2);
    const [event] = (await listUnmatched(ctx)).data;
    const id = event?.id ?? "";
    if (why === "dismissed") await dismissConfirmation(ctx, id);
    await api.redeem("ben", metacode);
    const { offered, findings } = await look();
    expect([offered, findings]).toEqual([[], [expect.objectContaining({ why, id })]]);
    const shown = renderToStaticMarkup(createElement(Doctor, { base: "/app", findings }));
    expect(shown).toContain(`href="/app/providers/unmatched?event=${id}"`);
    expect(shown).toContain("replay it");
    await expect(linkConfirmation(ctx, { eventId: id, uid: "ben", reason: "The receipt" })).rejects.toThrow();
    expect((await replayConfirmation(ctx, id)).status).toBe("confirmed");
    expect((await look()).findings).toEqual([]);
  },
);

test("a free trial whose event is deleted is still a finding, because its first payment confirms", async () => {
  const { ctx, api, metacode, receive, eventsWere, redeemedWas, look } = await connected();
  await ctx.db.orm.update(campaigns).set({ confirmOn: "paid" }).where(eq(campaigns.appId, ctx.app.id));
  await api.redeem("ben", metacode);
  await receive("ben", { ...PURCHASE, paid: false }, "TRIAL", {}, "order_1");
  expect((await look()).findings).toMatchObject([{ why: "not_paid", type: "TRIAL" }]);
  await ctx.db.orm.delete(providerEvents).where(eq(providerEvents.appId, ctx.app.id));
  await redeemedWas(110 * 24);
  await receive("someone", PURCHASE);
  const { findings } = await look();
  expect(findings).toEqual([{ why: "trial", at: expect.any(Date) }]);
  expect(renderToStaticMarkup(createElement(Doctor, { base: "/app", findings }))).toContain(
    "is a free trial",
  );
  await eventsWere(1);
  await receive("ben", { ...PURCHASE, renewal: true }, "RENEWAL", {}, "order_1");
  expect((await look()).referral.status).toBe("redeemed");
});

test("the silence of providers is said of the last 90 days, for which events are stored", async () => {
  const { ctx, api, metacode, receive, eventsWere, redeemedWas, look } = await connected();
  await api.redeem("ben", metacode);
  const shown = async () =>
    renderToStaticMarkup(createElement(Doctor, { base: "/app", findings: (await look()).findings }));
  await redeemedWas(2);
  // A connection that is deleted since has received one.
  await applyEvent(ctx, "someone");
  expect(await shown()).toContain("No connection has received an event in the last 90 days");
  await receive("someone", PURCHASE);
  expect(await shown()).toContain("no purchase has named this user ID");
  await redeemedWas(91 * 24);
  expect(await shown()).toContain("no purchase has named this user ID in the last 90 days");
  // A linked event is stored for longer than later ones, which may be deleted.
  await eventsWere(100 * 24);
  expect(await shown()).toContain("No connection has received an event in the last 90 days");
});

test("a renewal that a member linked is a finding, though it names another user id", async () => {
  const { ctx, api, metacode, receive, look } = await connected();
  await api.redeem("ben", metacode);
  await receive("$RCAnonymousID:1", { ...PURCHASE, renewal: true }, "RENEWAL");
  const [event] = (await look()).offered;
  const id = event?.id ?? "";
  expect(event?.purchase).toMatchObject({ held: "renewal" });
  const link = { eventId: id, uid: "ben", reason: "The receipt" };
  expect((await linkConfirmation(ctx, link)).status).toBe("renewal");
  expect((await look()).findings).toMatchObject([{ why: "renewal", id }]);
});

test("purchases without a user id are counted as they are offered, however many of the other store came", async () => {
  const { ctx, api, metacode, receive, look } = await connected();
  await api.redeem("ben", metacode);
  const buys = (count: number, store: string) =>
    inParallel(count, 8, (n) => receive(`$RCAnonymousID:${n}`, PURCHASE, "BUY", { store }));
  await buys(210, "PLAY_STORE");
  await receive("stranger", PURCHASE, "BUY", { store: "APP_STORE" });
  expect((await look()).findings).toMatchObject([{ why: "recent" }]);
  await buys(1, "APP_STORE");
  const { offered, findings } = await look();
  expect(findings).toEqual([{ why: "anonymous", events: 1 }]);
  expect(
    (await linkConfirmation(ctx, { eventId: offered[0]?.id ?? "", uid: "ben", reason: "The receipt" }))
      .status,
  ).toBe("confirmed");
});

test("a purchase that counted in an earlier campaign is named with its referral", async () => {
  const { ctx, api, metacode, receive, redeemedWas, look } = await connected();
  await api.redeem("ben", metacode);
  await receive("ben", PURCHASE);
  const { referral: earlier } = await look();
  expect(earlier.status).toBe("redeemed");
  // The same referee in a later campaign.
  const later = uuidv7();
  await ctx.db.orm.execute(sql`
    insert into referrals (app_id, campaign_id, referee_uid, id, referrer_id, platform, status)
    select app_id, ${uuidv7()}, referee_uid, ${later}, referrer_id, platform, 'code_assigned'
      from referrals where app_id = ${ctx.app.id} and id = ${earlier.id}`);
  const findings = async () => diagnoseReferral(ctx, await getReferral(ctx, later), []);
  const counted = { why: "counted", referralId: earlier.id, type: "INITIAL_PURCHASE" };
  expect(await findings()).toMatchObject([counted, { why: "recent" }]);
  await redeemedWas(2);
  const found = await findings();
  expect(found).toMatchObject([counted]);
  expect(renderToStaticMarkup(createElement(Doctor, { base: "/app", findings: found }))).toContain(
    `href="/app/referrals/${earlier.id}"`,
  );
});
