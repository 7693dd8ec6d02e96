import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { type Db, database } from "@/lib/platform/db/client";
import { dailyStats, rollupCursors } from "@/lib/platform/db/schema";
import { STORE_CLICKS } from "@/lib/program/clicks/buffer";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import { confirmByHand, releaseRedemption } from "@/lib/program/referrals/by-hand";
import { addHistory } from "@/lib/program/stats/history";
import { ROLL_UP, rollUp } from "@/lib/program/stats/roll-up";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { later } from "@/lib/testing/clock";
import { applyEvent, refer } from "@/lib/testing/confirm";
import {
  countedBatches,
  countedDays,
  countedTotals,
  rollUpNow,
  storedBatches,
  storedDays,
  storedTotals,
} from "@/lib/testing/daily-figures";
import { emitExample } from "@/lib/testing/events";
import { useService } from "@/lib/testing/service";
import { asTeamMember, referralIdOf, replaceCodeOf } from "@/lib/testing/support";
import { makeBatch, makeTenant, type Tenant } from "@/lib/testing/tenant";

useService();

/** An app whose history is counted, so that later figures come from the outbox. */
async function begun(codes = 20): Promise<Tenant> {
  const tenant = await makeTenant({ codes });
  await rollUpNow(tenant.ctx.app.id);
  return tenant;
}

/** A purchase by an unknown id that a member links to this referee; returns the id of the event. */
async function applyAnonymous(ctx: Context, uid: string): Promise<string> {
  await applyEvent(ctx, "$RCAnonymousID:1");
  const [event] = (await listUnmatched(ctx)).data;
  await linkConfirmation(ctx, { eventId: event?.id ?? "", uid, reason: "The receipt" });
  return event?.id ?? "";
}

/** Clicks, assignments, confirmations, a reversal, one taken back, rewards earned and claimed, on both platforms. */
async function play(tenant: Tenant): Promise<void> {
  const { ctx } = tenant;
  const api = clientOf(tenant.key);
  const { metacode, referrer_id } = (await api.referrer("ann")).body;
  const clicks = [uuidv7(), uuidv7(), uuidv7()];
  const visitors = clicks.map((id) => Buffer.from(id));
  const times = clicks.map(() => new Date());
  const store = () =>
    ctx.db.call(STORE_CLICKS, {
      app: ctx.app.id,
      ids: clicks,
      referrers: clicks.map(() => referrer_id),
      visitors,
      times,
    });
  await store();
  await store();
  const [first = "", second = ""] = await refer(tenant, metacode, 4);
  await refer(tenant, metacode, 2, "android");
  await api.redeem("open", metacode, "ios", { click_id: clicks[0] });
  await applyEvent(ctx, first, "reverse");
  await applyEvent(ctx, second, "reverse");
  await applyEvent(ctx, second, "restore");
  expect((await api.claim("ann")).body.message).toBe("Successfully claimed 1 reward");
}

async function expectEqual(appId: string): Promise<void> {
  const [days, batches] = await Promise.all([countedDays(appId), countedBatches(appId)]);
  expect(days.length).toBe(3);
  expect(batches.length).toBe(3);
  expect(await storedDays(appId)).toEqual(days);
  expect(await storedBatches(appId)).toEqual(batches);
  const totals = await countedTotals(appId);
  expect(totals).toHaveLength(1);
  expect(await storedTotals(appId)).toEqual(totals);
}

describe("the roll-up", () => {
  test("adds up the rows once, however often it runs", async () => {
    const tenant = await begun();
    await play(tenant);
    for (let run = 0; run < 3; run++) await rollUpNow(tenant.ctx.app.id);
    await expectEqual(tenant.ctx.app.id);
  });

  test.each([
    ["before", true],
    ["after", false],
  ])(
    "counts steps that a member undid %s it ran, and changes by hand, as their rows do",
    async (_, early) => {
      const tenant = await begun();
      const ctx = asTeamMember(tenant.ctx);
      const { id } = ctx.app;
      await play(tenant);
      const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
      for (const uid of ["r1", "r2", "r3", "r4"]) await clientOf(tenant.key).redeem(uid, metacode);
      for (const reason of ["dead", "dead too"])
        await replaceCodeOf(ctx, await referralIdOf(ctx, "r2"), reason);
      await confirmByHand(ctx, { referralId: await referralIdOf(ctx, "r3"), reason: "receipt" });
      const linked = await applyAnonymous(ctx, "r4");
      if (!early) await rollUpNow(id);
      for (const uid of ["r1", "r2"]) {
        await releaseRedemption(ctx, { referralId: await referralIdOf(ctx, uid), reason: "wrong platform" });
      }
      await unlinkConfirmation(ctx, { eventId: linked, reason: "A mistake" });
      await clientOf(tenant.key).redeem("r1", metacode);
      await applyEvent(ctx, "r4");
      await rollUpNow(id);
      await expectEqual(id);
      await forgetFigures(id);
      await rollUpNow(id);
      await expectEqual(id);
    },
  );

  test("is done once by many at the same time", async () => {
    const tenant = await begun();
    const { id } = tenant.ctx.app;
    await play(tenant);
    await Promise.all(Array.from({ length: 8 }, () => rollUpNow(id)));
    await expectEqual(id);
  });

  test("that is interrupted has no effect, and the next one does all the work", async () => {
    const tenant = await begun();
    const { id } = tenant.ctx.app;
    await play(tenant);
    const before = [await storedDays(id), await storedBatches(id)];
    const dying = database().transaction(async (tx) => {
      expect(await tx.call(ROLL_UP, { app: id, age_seconds: 0, rows: 2_000 })).toMatchObject({
        state: "done",
      });
      // While it runs, other processes do not add the same events.
      expect(await database().call(ROLL_UP, { app: id, age_seconds: 0, rows: 2_000 })).toMatchObject({
        state: "busy",
      });
      throw new Error("killed");
    });
    await expect(dying).rejects.toThrow("killed");
    expect([await storedDays(id), await storedBatches(id)]).toEqual(before);
    await rollUpNow(id);
    await expectEqual(id);
  });

  test("reads a bounded number of events and continues where it stopped", async () => {
    const tenant = await begun();
    const { id } = tenant.ctx.app;
    await play(tenant);
    for (let more = true; more; )
      ({ more } = await database().call(ROLL_UP, { app: id, age_seconds: 0, rows: 3 }));
    await expectEqual(id);
  });

  test("leaves events younger than a minute, because an older one may not be committed yet", async () => {
    const tenant = await begun();
    const { id } = tenant.ctx.app;
    const { campaignId } = tenant;
    const emit = (db: Db) =>
      emitExample(db, id, "referral.code_assigned", { referral_id: uuidv7(), campaign_id: campaignId });
    await database().transaction(async (tx) => {
      await emit(tx);
      await emit(database());
      await rollUp(database(), id);
      expect(await storedDays(id)).toEqual([]);
    });
    // A minute later the cursor has passed neither of them.
    await database().orm.execute(sql`
      update outbox set id = (first_id(${later(sql`created_at`, -61)})::text::char(18) || substr(id::text, 19))::uuid
       where app_id = ${id} and type = 'referral.code_assigned'`);
    const cursor = sql`first_id(now() - interval '1 hour')`;
    await database().orm.update(rollupCursors).set({ lastId: cursor }).where(eq(rollupCursors.appId, id));
    await rollUp(database(), id);
    expect(await storedDays(id)).toMatchObject([{ assigned: 2 }]);
  });

  test.each([
    ["before", true],
    ["after", false],
  ])("counts codes replaced %s it ran as assigned each time, and their referral once", async (_, early) => {
    const tenant = await begun(1);
    const { ctx, pools } = tenant;
    for (let n = 0; n < 2; n++) await makeBatch(ctx, pools.ios.referee, "ios", { size: 1 });
    const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
    await clientOf(tenant.key).redeem("bob", metacode);
    const assignmentId = await referralIdOf(ctx, "bob");
    if (!early) await rollUpNow(ctx.app.id);
    for (let n = 0; n < 2; n++) await replaceCodeOf(asTeamMember(ctx), assignmentId, "dead");
    await applyEvent(ctx, "bob");
    await rollUpNow(ctx.app.id);
    expect(await storedDays(ctx.app.id)).toMatchObject([{ assigned: 1, confirmed: 1 }]);
    const batches = await countedBatches(ctx.app.id);
    expect(batches.map(({ assigned, confirmed }) => [assigned, confirmed])).toEqual([
      [1, 0],
      [1, 0],
      [1, 1],
    ]);
    expect(await storedBatches(ctx.app.id)).toEqual(batches);
    await forgetFigures(ctx.app.id);
    await rollUpNow(ctx.app.id);
    expect(await storedBatches(ctx.app.id)).toEqual(batches);
  });
});

async function forgetFigures(appId: string): Promise<void> {
  const { orm } = database();
  await orm.delete(rollupCursors).where(eq(rollupCursors.appId, appId));
  await orm.delete(dailyStats).where(eq(dailyStats.appId, appId));
  await orm.execute(sql`delete from batch_counts where app_id = ${appId}`);
}

describe("an app without a cursor", () => {
  test("has its history counted from the rows, even if the outbox no longer has it", async () => {
    const tenant = await begun();
    const { id } = tenant.ctx.app;
    await play(tenant);
    await forgetFigures(id);
    await database().orm.execute(sql`delete from outbox where app_id = ${id}`);
    await Promise.all(Array.from({ length: 4 }, () => rollUpNow(id)));
    await expectEqual(id);
  });

  test("has it counted by one process; a slower process changes nothing", async () => {
    const tenant = await begun();
    const { id } = tenant.ctx.app;
    await play(tenant);
    await addHistory(database(), id, 0);
    await rollUpNow(id);
    await expectEqual(id);
  });

  test("goes on from its history with the outbox", async () => {
    const tenant = await makeTenant({ codes: 20 });
    const { id } = tenant.ctx.app;
    await play(tenant);
    await rollUpNow(id);
    const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
    await refer(tenant, metacode, 5);
    await rollUpNow(id);
    await expectEqual(id);
  });
});
