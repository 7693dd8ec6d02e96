import { eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Db, database } from "@/lib/platform/db/client";
import { refereesInLine, referrals } from "@/lib/platform/db/schema";
import { quarantineBatch } from "@/lib/program/codes/batch-state";
import { joinUids } from "@/lib/program/end-users/join";
import { setAside } from "@/lib/program/line/line";
import { blockedBackends } from "@/lib/testing/database/locks";
import { statementsOf } from "@/lib/testing/database/statements";
import { countCalls, redeemInputs, redeemingTenant } from "@/lib/testing/redeems";
import { assignedCodes, referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeBatch, type Tenant } from "@/lib/testing/tenant";

useService();

/** The referee's row, held by an uncommitted transaction of another process. */
async function placeOf({ ctx, campaignId }: Tenant, refereeUid: string, db: Db): Promise<void> {
  const ids = { id: uuidv7(), referrerId: uuidv7() };
  await db.orm
    .insert(referrals)
    .values({ appId: ctx.app.id, campaignId, refereeUid, platform: "ios", ...ids });
}

class Undo extends Error {}

/** Runs `work` in a transaction that is rolled back. */
async function undone(work: (db: Db) => Promise<void>): Promise<void> {
  const failed = database().transaction(async (db) => {
    await work(db);
    throw new Undo();
  });
  await failed.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
}

describe("one of several", () => {
  test("that the database refuses harms no other", async () => {
    const { redeemTogether } = await redeemingTenant();
    const answers = await Promise.all(redeemTogether([...redeemInputs(3), { refereeUid: "nul\u0000" }]));
    expect(answers.at(-1)).toBe("22021");
    expect(new Set(answers).size).toBe(6);
    expect(answers.filter((answer) => /^C\w{22}$/.test(answer))).toHaveLength(5);
  });

  test("that waits for another process is cancelled for the group, and then waited for alone", async () => {
    const { tenant, redeemTogether } = await redeemingTenant();
    let rival: Promise<string> | undefined;
    await undone(async (db) => {
      await placeOf(tenant, "rival", db);
      const [first, second, amy, own, zoe] = redeemTogether([
        { refereeUid: "amy" },
        { refereeUid: "rival" },
        { refereeUid: "zoe" },
      ]);
      rival = own;
      for (const pid of await blockedBackends()) await db.orm.execute(`select pg_cancel_backend(${pid})`);
      expect(new Set(await Promise.all([first, second, amy, zoe])).size).toBe(4);
    });
    expect(await rival).toMatch(/^C\w{22}$/);
    expect(await assignedCodes(tenant)).toHaveLength(5);
  });

  test("waits for a referee of another process before any holds a code", async () => {
    const { tenant, redeemTogether } = await redeemingTenant({ codes: 4 });
    let answers: Promise<string>[] = [];
    await undone(async (db) => {
      await placeOf(tenant, "rival", db);
      answers = redeemTogether([{ refereeUid: "amy" }, { refereeUid: "rival" }]);
      await Promise.all(answers.slice(0, 2));
      await blockedBackends();
      expect(await freeCodes(tenant, db)).toHaveLength(2);
    });
    expect(new Set(await Promise.all(answers)).size).toBe(4);
  });

  test("that finds no free code waits alone for codes that others hold", async () => {
    const { tenant, redeemTogether } = await redeemingTenant({ codes: 4 });
    let answers: Promise<string>[] = [];
    const statements = await statementsOf(async () => {
      await database().transaction(async (db) => {
        await freeCodes(tenant, db, 1);
        answers = redeemTogether([{ refereeUid: "amy" }, { refereeUid: "bob" }]);
        expect(new Set(await firstOf(answers, 3)).size).toBe(3);
        await blockedBackends();
      });
      const all = await Promise.all(answers);
      expect(new Set(all).size).toBe(4);
      expect(all.filter((answer) => /^C\w{22}$/.test(answer))).toHaveLength(4);
    });
    // Only the waiting redeem ran again: the others got their results from the shared statement.
    expect(countCalls(statements, "redeem_metacode")).toBeLessThanOrEqual(3);
  });
});

/** The first `count` responses of any caller. */
function firstOf(answers: Promise<string>[], count: number): Promise<string[]> {
  const come: string[] = [];
  return new Promise((resolve) => {
    for (const answer of answers)
      void answer.then((text) => {
        if (come.push(text) === count) resolve([...come]);
      });
  });
}

/** Locks codes for iOS referees that no transaction has locked. */
async function freeCodes({ ctx, pools }: Tenant, db: Db, most = 100) {
  const { rows } = await db.orm.execute(sql`
    select c.id from codes c join batches b on b.app_id = c.app_id and b.id = c.batch_id
     where c.app_id = ${ctx.app.id} and b.pool_id = ${pools.ios.referee} and c.status = 'available'
     limit ${most} for update of c skip locked`);
  return rows;
}

test("an app whose redeems are held up holds up no other", async () => {
  const held = await redeemingTenant({ codes: 30 });
  const other = await redeemingTenant();
  let answers: Promise<string>[] = [];
  await undone(async (db) => {
    for (const uid of ["first", "second"]) await placeOf(held.tenant, uid, db);
    answers = held.redeemTogether(redeemInputs(12));
    await blockedBackends();
    expect(new Set(await Promise.all(other.redeemTogether(redeemInputs(4)))).size).toBe(6);
  });
  expect(new Set(await Promise.all(answers.slice(0, 2))).size).toBe(2);
  await Promise.all(answers);
});

test("redeems of one referee in two processes get the code that is set aside for a joined id, and never wait for each other", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const ctx = asTeamMember(tenant.ctx);
  const poolId = tenant.pools.ios.referee;
  await joinUids(ctx, { uid: "old", otherUid: "new", reason: "Reinstalled", keepApart: "true" });
  expect((await api.redeem("old", metacode)).status).toBe(503);
  const first = await makeBatch(ctx, poolId, "ios", { size: 1 });
  expect(await setAside(ctx, poolId)).toBe(1);
  expect((await api.redeem("late", metacode)).status).toBe(503);
  // One process finds a free code that a third one holds, the other finds the pool empty.
  const batchId = await makeBatch(ctx, poolId, "ios", { size: 1 });
  const other = await database().pool.connect();
  onTestFinished(() => other.release());
  const { ours, theirs } = await ctx.db.transaction(async (db) => {
    await freeCodes(tenant, db);
    const ours = api.redeem("new", metacode);
    await Promise.race([ours, blockedBackends()]);
    await quarantineBatch(ctx, batchId);
    const theirs = other.query(
      `select redeem_metacode($1, $2, 'ios', 'new', gen_random_uuid(), null, null, null, null, null, 0, 0) as r`,
      [ctx.app.id, metacode],
    );
    await Promise.race([theirs, blockedBackends(2)]);
    return { ours, theirs };
  });
  const [{ body }, { rows }] = await Promise.all([ours, theirs]);
  const [code] = await assignedCodes(tenant);
  expect([body.code, rows[0].r.verdict, rows[0].r.redemption.code]).toEqual([
    code?.code,
    "ALREADY_REDEEMED",
    code?.code,
  ]);
  expect(code).toMatchObject({ batchId: first, redeemedByUid: "new" });
  const inLine = eq(refereesInLine.appId, ctx.app.id);
  expect(await ctx.db.orm.select().from(refereesInLine).where(inLine)).toMatchObject([
    { refereeUid: "late" },
  ]);
});

test("a group locks no place in line before the budgets, which another process holds that waits for the place", async () => {
  const { tenant, api, redeemTogether } = await redeemingTenant({ codes: 0, campaign: { codeBudget: 9 } });
  const { ctx, campaignId } = tenant;
  await makeBatch(ctx, tenant.pools.android.referee, "android", { size: 1 });
  const { referrer_id: referrerId } = (await api.referrer("ann")).body;
  const statements = await statementsOf(async () => {
    let answers: Promise<string>[] = [];
    await ctx.db.transaction(async ({ orm }) => {
      await orm.execute(sql`select has_budget(${ctx.app.id}, ${campaignId}, 'referee')`);
      answers = redeemTogether([{ refereeUid: "amy" }, { refereeUid: "bob", platform: "android" }]);
      await blockedBackends();
      await orm.execute(
        sql`select join_line(${ctx.app.id}, ${campaignId}, 'ios', 'amy', ${referrerId}, 9, null)`,
      );
    });
    const [amy, bob] = (await Promise.all(answers)).slice(2);
    expect(amy).toBe("NO_CODES_AVAILABLE");
    expect(bob).not.toBe(amy);
  });
  // After a deadlock each of the group would have run alone.
  expect(countCalls(statements, "redeem_metacode")).toBe(3);
});

test.each(["the line", "the codes that are set aside"])(
  "a group locks no place of joined ids, because another process may lock those of two persons in the other order: in %s",
  async (places) => {
    const { tenant, metacode, redeem, redeemTogether } = await redeemingTenant({ codes: 0 });
    const ctx = asTeamMember(tenant.ctx);
    const poolId = tenant.pools.ios.referee;
    const pairs = { amy: "zoe", bob: "yan" };
    for (const [uid, otherUid] of Object.entries(pairs))
      await joinUids(ctx, { uid, otherUid, reason: "Reinstalled", keepApart: "true" });
    if (places !== "the line") {
      for (const refereeUid of ["amy", "yan"]) await redeem({ refereeUid });
      await makeBatch(ctx, poolId, "ios", { size: 2 });
      expect(await setAside(ctx, poolId)).toBe(2);
    }
    let answers: Promise<string>[] = [];
    await ctx.db.transaction(async ({ orm }) => {
      // The transaction finds a deadlock at once, before the group does.
      await orm.execute(sql`set local deadlock_timeout = 1`);
      const redeem = (uid: string) =>
        orm.execute(sql`select redeem_metacode(
          ${ctx.app.id}, ${metacode}, 'ios', ${uid}, new_id(), null, null, null, null, null, 0, 0)`);
      await redeem("yan");
      answers = redeemTogether(Object.keys(pairs).map((refereeUid) => ({ refereeUid })));
      await blockedBackends();
      await redeem("zoe");
    });
    const [amy, bob] = (await Promise.all(answers)).slice(2);
    const codes = (await assignedCodes(tenant)).map(({ redeemedByUid }) => redeemedByUid).sort();
    expect([amy === "NO_CODES_AVAILABLE", bob, codes]).toEqual(
      places === "the line"
        ? [true, "NO_CODES_AVAILABLE", []]
        : [false, "NO_CODES_AVAILABLE", ["amy", "yan"]],
    );
  },
);
