import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { type Db, database } from "@/lib/platform/db/client";
import { rollupCursors } from "@/lib/platform/db/schema";
import { activateCampaign, endCampaign } from "@/lib/program/campaigns/lifecycle";
import { STORE_CLICKS } from "@/lib/program/clicks/buffer";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { addHistory, RECOUNT_MARK } from "@/lib/program/stats/history";
import { readHistory } from "@/lib/program/stats/history-pages";
import type { Context } from "@/lib/tenants/context";
import { copyCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { applyEvent, refer } from "@/lib/testing/confirm";
import {
  countedBatches,
  countedDays,
  rollUpNow,
  storedBatches,
  storedDays,
  storedTotals,
} from "@/lib/testing/daily-figures";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf, replaceCodeOf } from "@/lib/testing/support";
import { makeBatch, makeTenant } from "@/lib/testing/tenant";

useService();

/** The times of changes, which their transactions took when they began. */
const TIMES = {
  outbox: ["created_at"],
  referrals: ["created_at", "confirmed_at"],
  rewards: ["created_at", "claimed_at"],
};

test("a change that began before the end of the history and emitted its event after it is counted once", async () => {
  const tenant = await makeTenant({ codes: 20 });
  const { id } = tenant.ctx.app;
  const api = clientOf(tenant.key);
  await refer(tenant, (await api.referrer("ann")).body.metacode, 4);
  expect((await api.claim("ann")).status).toBe(200);
  for (const [table, columns] of Object.entries(TIMES)) {
    const set = columns
      .map((column) => `${column} = (${column} at time zone 'UTC' - interval '1 hour') at time zone 'UTC'`)
      .join(", ");
    await database().pool.query(`update ${table} set ${set} where app_id = $1`, [id]);
  }
  await addHistory(database(), id, 1_800);
  await rollUpNow(id);
  expect(await storedDays(id)).toEqual(await countedDays(id));
  expect(await storedBatches(id)).toEqual(await countedBatches(id));
});

/** Changes by hand of the redemption of `bob`; the outbox still has the events of the last minute. */
const BY_HAND = {
  "a replaced code": (ctx: Context, bob: string) => replaceCodeOf(ctx, bob, "Expired"),
  "an unlinked purchase": unlinkPurchase,
  "an unlinked purchase of a redemption that was released": async (ctx: Context, bob: string) => {
    await unlinkPurchase(ctx);
    await releaseRedemption(ctx, { referralId: bob, reason: "Wrong friend" });
  },
  "a replaced code and an unlinked purchase": async (ctx: Context, bob: string) => {
    await replaceCodeOf(ctx, bob, "Expired");
    await unlinkPurchase(ctx);
  },
  "an unlinked purchase and then a replaced code": async (ctx: Context, bob: string) => {
    await unlinkPurchase(ctx);
    await replaceCodeOf(ctx, bob, "Expired");
  },
  "an unlinked purchase, a replaced code and then a release": async (ctx: Context, bob: string) => {
    await unlinkPurchase(ctx);
    await replaceCodeOf(ctx, bob, "Expired");
    await releaseRedemption(ctx, { referralId: bob, reason: "Wrong friend" });
  },
};

async function linkPurchase(ctx: Context): Promise<string> {
  await applyEvent(ctx, "$RCAnonymousID:1");
  const eventId = (await listUnmatched(ctx)).data[0]?.id ?? "";
  const linked = await linkConfirmation(ctx, { eventId, uid: "bob", reason: "The receipt" });
  expect(linked.status).toBe("confirmed");
  return eventId;
}

async function unlinkPurchase(ctx: Context): Promise<void> {
  await unlinkConfirmation(ctx, { eventId: await linkPurchase(ctx), reason: "A mistake" });
}

/** A database in which each transaction runs a second time, as after a deadlock. */
const interrupted = (db: Db): Db => ({
  ...db,
  transaction: async (work) => {
    const deadlock = new Error("a deadlock");
    const first = db.transaction((tx) => work(tx).then(() => Promise.reject(deadlock)));
    await expect(first).rejects.toBe(deadlock);
    return db.transaction(work);
  },
});

test.each(Object.entries(BY_HAND))(
  "%s is counted as before when figures are counted again",
  async (_, act) => {
    const tenant = await makeTenant({ codes: 1 });
    const ctx = asTeamMember(tenant.ctx);
    const { id } = ctx.app;
    await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 1 });
    const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
    await rollUpNow(id);
    await clientOf(tenant.key).redeem("bob", metacode);
    await act(ctx, await referralIdOf(ctx, "bob"));
    await rollUpNow(id);
    const [days, batches] = [await storedDays(id), await storedBatches(id)];
    expect(batches).toEqual(await countedBatches(id));
    const cursor = eq(rollupCursors.appId, id);
    await ctx.db.orm.update(rollupCursors).set({ lastId: RECOUNT_MARK }).where(cursor);
    await addHistory(interrupted(database()), id, 60);
    await rollUpNow(id);
    expect(await storedBatches(id)).toEqual(batches);
    expect(await storedDays(id)).toEqual(days);
  },
);

/** Counts the rows of a kind in an app's history, and runs `meanwhile` once the first of them are read. */
async function readRows(
  { db, app }: Context,
  kind: string,
  meanwhile?: () => Promise<unknown>,
): Promise<number> {
  let counted = 0;
  for await (const { what, rows } of readHistory(db, app.id, "infinity")) {
    if (what !== kind) continue;
    if (counted === 0) await meanwhile?.();
    counted += rows;
  }
  return counted;
}

test("a step that is undone while the history is read is counted once", async () => {
  const tenant = await makeTenant({ codes: 1 });
  const ctx = asTeamMember(tenant.ctx);
  const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
  await clientOf(tenant.key).redeem("bob", metacode);
  const referralId = await referralIdOf(ctx, "bob");
  const eventId = await linkPurchase(ctx);
  const unlink = () => unlinkConfirmation(ctx, { eventId, reason: "A mistake" });
  expect([await readRows(ctx, "confirmed", unlink), await readRows(ctx, "confirmed")]).toEqual([1, 1]);
  const release = () => releaseRedemption(ctx, { referralId, reason: "Wrong friend" });
  expect([await readRows(ctx, "assigned", release), await readRows(ctx, "assigned")]).toEqual([1, 1]);
});

test("a total that was counted follows a refund", async () => {
  const tenant = await makeTenant({ codes: 5 });
  const { id } = tenant.ctx.app;
  const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
  await rollUpNow(id);
  const [friend = ""] = await refer(tenant, metacode, 2);
  await rollUpNow(id);
  expect(await storedTotals(id)).toMatchObject([{ confirmed: 2 }]);
  await applyEvent(tenant.ctx, friend, "reverse");
  await rollUpNow(id);
  expect(await storedTotals(id)).toMatchObject([{ confirmed: 1 }]);
});

test("clicks stay with the campaign in which they were stored when figures are counted again", async () => {
  const tenant = await makeTenant({ codes: 5 });
  const { ctx, campaignId } = tenant;
  const { referrer_id } = (await clientOf(tenant.key).referrer("ann")).body;
  await rollUpNow(ctx.app.id);
  const click = {
    ids: [uuidv7()],
    referrers: [referrer_id],
    visitors: [Buffer.from("v")],
    times: [new Date()],
  };
  await ctx.db.call(STORE_CLICKS, { app: ctx.app.id, ...click });
  await endCampaign(ctx, campaignId);
  await activateCampaign(ctx, await copyCampaign(tenant, { status: "draft" }));
  const before = await storedDays(ctx.app.id);
  expect(before).toMatchObject([{ campaign_id: campaignId, clicked: 1 }]);
  await ctx.db.orm
    .update(rollupCursors)
    .set({ lastId: RECOUNT_MARK })
    .where(eq(rollupCursors.appId, ctx.app.id));
  await rollUpNow(ctx.app.id);
  expect(await storedDays(ctx.app.id)).toEqual(before);
});
