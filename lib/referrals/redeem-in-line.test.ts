import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { type Db, database } from "@/lib/db/client";
import { clicks, idempotencyKeys, outbox, referrals } from "@/lib/db/schema";
import type { AppError } from "@/lib/errors";
import { idempotencyOf } from "@/lib/idempotency/key";
import { redeemMetacode } from "@/lib/referrals/redeem";
import type { RedeemRequest } from "@/lib/referrals/redeem-in-line";
import { blockedBackends } from "@/lib/testing/locks";
import { assigned, running } from "@/lib/testing/running";
import { useService } from "@/lib/testing/service";
import { statementsOf } from "@/lib/testing/statements";
import type { Tenant, TenantOptions } from "@/lib/testing/tenant";

useService();

type Wish = Partial<RedeemRequest> & { refereeUid: string };

async function inviting(options: TenantOptions = {}) {
  const { tenant, metacode, api } = await running(options);
  /** The code, or the error's code with the code given before. */
  const ask = (wish: Wish) =>
    redeemMetacode(tenant.ctx, { metacode, platform: "ios", clickId: undefined, ...wish }).then(
      ({ body }) => body.code,
      ({ code, extra }: AppError) => {
        const before = extra?.redemption as { code: string } | undefined;
        return before ? `${code} ${before.code}` : code;
      },
    );
  /** Two take the lanes, so that all others wait and go together; their answers come first. */
  const askTogether = (wishes: Wish[]) =>
    [{ refereeUid: "first" }, { refereeUid: "second" }, ...wishes].map(ask);
  return { tenant, api, metacode, ask, askTogether };
}

const uids = (count: number): Wish[] => Array.from({ length: count }, (_, n) => ({ refereeUid: `bob${n}` }));

const calls = (statements: string[], name: string) =>
  statements.filter((text) => text.startsWith(`select ${name}(`)).length;

/** The referee's place as a transaction of another process holds it that has not committed yet. */
async function placeOf({ ctx, campaignId }: Tenant, refereeUid: string, db: Db): Promise<void> {
  const ids = { id: uuidv7(), referrerId: uuidv7() };
  await db.orm
    .insert(referrals)
    .values({ appId: ctx.app.id, campaignId, refereeUid, platform: "ios", ...ids });
}

class Undo extends Error {}

/** Runs `work` in a transaction that comes to nothing. */
async function undone(work: (db: Db) => Promise<void>): Promise<void> {
  const failed = database().transaction(async (db) => {
    await work(db);
    throw new Undo();
  });
  await failed.catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
}

describe("redeems at the same time", () => {
  test("share a statement, and each has its own code, event and kept answer", async () => {
    const { tenant, ask, askTogether } = await inviting({ codes: 30 });
    const wishes = uids(20).map((wish) => ({ ...wish, idempotency: idempotencyOf(wish.refereeUid, wish) }));
    const statements = await statementsOf(async () => {
      const answers = await Promise.all(askTogether(wishes));
      expect(new Set(answers).size).toBe(22);
      expect(await Promise.all(wishes.map(ask))).toEqual(answers.slice(2));
    });
    expect(calls(statements, "redeem_together")).toBeGreaterThan(1);
    expect(statements.length).toBeLessThan(12);
    const { orm } = tenant.ctx.db;
    const given = await assigned(tenant);
    const events = await orm
      .select()
      .from(outbox)
      .where(and(eq(outbox.appId, tenant.ctx.app.id), eq(outbox.type, "referral.code_assigned")));
    const told = events.map(({ payload }) => payload as { referral_id: string; referee_uid: string });
    const pairs = (rows: [string | null, string | null][]) => rows.map((row) => row.join(" ")).sort();
    expect(pairs(told.map((event) => [event.referral_id, event.referee_uid]))).toEqual(
      pairs(given.map((row) => [row.assignmentId, row.redeemedByUid])),
    );
    const kept = await orm.select().from(idempotencyKeys).where(eq(idempotencyKeys.appId, tenant.ctx.app.id));
    expect(kept.map(({ key }) => key).sort()).toEqual(wishes.map(({ refereeUid }) => refereeUid).sort());
  });

  test("get the verdicts that they get singly", async () => {
    const { ask, askTogether } = await inviting();
    const had = await ask({ refereeUid: "had" });
    const key = idempotencyOf("key", {});
    const kept = await ask({ refereeUid: "kept", idempotency: key });
    const answers = await Promise.all(
      askTogether([
        { refereeUid: "new" },
        { refereeUid: "had" },
        { refereeUid: "lost", metacode: "nobodys0" },
        { refereeUid: "ann" },
        { refereeUid: "kept", idempotency: key },
        { refereeUid: "other", idempotency: idempotencyOf("key", { another: "request" }) },
        { refereeUid: "droid", platform: "android" },
      ]),
    );
    const [first, second, fresh, ...others] = answers;
    const droid = others.pop();
    expect(new Set([had, kept, first, second, fresh, droid]).size).toBe(6);
    expect(others).toEqual([`ALREADY_REDEEMED ${had}`, "METACODE_NOT_FOUND", "CONFLICT", kept, "CONFLICT"]);
  });

  test("of one referee, key or click are decided one after the other", async () => {
    const { tenant, askTogether } = await inviting();
    const idempotency = idempotencyOf("key", {});
    const clickId = uuidv7();
    const wishes: Wish[] = [
      { refereeUid: "bob" },
      { refereeUid: "bob" },
      { refereeUid: "cid", idempotency },
      { refereeUid: "cid", idempotency },
      { refereeUid: "dan", clickId },
      { refereeUid: "eve", clickId },
    ];
    const statements = await statementsOf(async () => {
      const [, , bob, again, cid, replayed, ...clicked] = await Promise.all(askTogether(wishes));
      expect([again, replayed]).toEqual([`ALREADY_REDEEMED ${bob}`, cid]);
      expect(new Set([bob, cid, ...clicked]).size).toBe(4);
    });
    expect(calls(statements, "redeem_metacode") + calls(statements, "redeem_together")).toBe(4);
    const { orm } = tenant.ctx.db;
    const rows = await orm.select().from(referrals).where(eq(referrals.appId, tenant.ctx.app.id));
    expect(rows).toHaveLength(6);
    expect(rows.filter(({ id }) => id === clickId)).toHaveLength(1);
  });

  test.each<[string, Partial<Wish>, Partial<Wish>?]>([
    ["referee", { refereeUid: "bob" }, { refereeUid: "bob" }],
    ["key", { idempotency: idempotencyOf("key", 1) }, { idempotency: idempotencyOf("key", 2) }],
    ["click", { clickId: uuidv7() }],
  ])("never share a statement with another of the same %s", async (_, one, other = one) => {
    const { askTogether } = await inviting();
    const wishes = [
      { refereeUid: "dan", ...one },
      { refereeUid: "eve", ...other },
    ];
    const statements = await statementsOf(() => Promise.all(askTogether(wishes)));
    expect(calls(statements, "redeem_together")).toBe(0);
    expect(calls(statements, "redeem_metacode")).toBe(4);
  });

  test("complete the clicks that they come from", async () => {
    const { tenant, api, askTogether } = await inviting();
    const { ctx } = tenant;
    const { referrer_id: referrerId } = (await api.referrer("ann")).body;
    const ids = [uuidv7(), uuidv7()];
    const visitors = [Buffer.from("v"), Buffer.from("w")];
    const times = ids.map(() => new Date());
    await ctx.db.call("store_clicks", [ctx.app.id, ids, [referrerId, referrerId], visitors, times]);
    await Promise.all(askTogether(ids.map((clickId, n) => ({ refereeUid: `bob${n}`, clickId }))));
    expect(await ctx.db.orm.select().from(clicks).where(eq(clicks.appId, ctx.app.id))).toEqual([]);
    const rows = await ctx.db.orm.select().from(referrals).where(eq(referrals.appId, ctx.app.id));
    expect(rows.filter(({ clickedAt }) => clickedAt).map(({ id }) => id)).toEqual(
      expect.arrayContaining(ids),
    );
  });
});

describe("one of several", () => {
  test("that the database refuses harms no other", async () => {
    const { askTogether } = await inviting();
    const answers = await Promise.all(askTogether([...uids(3), { refereeUid: "nul\u0000" }]));
    expect(answers.at(-1)).toBe("22021");
    expect(new Set(answers).size).toBe(6);
    expect(answers.filter((answer) => /^C\w{22}$/.test(answer))).toHaveLength(5);
  });

  test("that waits for another process is cancelled for all, and then waited for by itself", async () => {
    const { tenant, askTogether } = await inviting();
    let rival: Promise<string> | undefined;
    await undone(async (db) => {
      await placeOf(tenant, "rival", db);
      const [first, second, amy, own, zoe] = askTogether([
        { refereeUid: "amy" },
        { refereeUid: "rival" },
        { refereeUid: "zoe" },
      ]);
      rival = own;
      for (const pid of await blockedBackends()) await db.orm.execute(`select pg_cancel_backend(${pid})`);
      expect(new Set(await Promise.all([first, second, amy, zoe])).size).toBe(4);
    });
    expect(await rival).toMatch(/^C\w{22}$/);
    expect(await assigned(tenant)).toHaveLength(5);
  });

  test("waits for a referee of another process before any holds a code", async () => {
    const { tenant, askTogether } = await inviting({ codes: 4 });
    let answers: Promise<string>[] = [];
    await undone(async (db) => {
      await placeOf(tenant, "rival", db);
      answers = askTogether([{ refereeUid: "amy" }, { refereeUid: "rival" }]);
      await Promise.all(answers.slice(0, 2));
      await blockedBackends();
      expect(await freeCodes(tenant, db)).toHaveLength(2);
    });
    expect(new Set(await Promise.all(answers)).size).toBe(4);
  });

  test("that finds no free code waits for those in other hands by itself", async () => {
    const { tenant, askTogether } = await inviting({ codes: 4 });
    let answers: Promise<string>[] = [];
    const statements = await statementsOf(async () => {
      await database().transaction(async (db) => {
        await freeCodes(tenant, db, 1);
        answers = askTogether([{ refereeUid: "amy" }, { refereeUid: "bob" }]);
        expect(new Set(await firstOf(answers, 3)).size).toBe(3);
        await blockedBackends();
      });
      const all = await Promise.all(answers);
      expect(new Set(all).size).toBe(4);
      expect(all.filter((answer) => /^C\w{22}$/.test(answer))).toHaveLength(4);
    });
    // Nobody but who waited was asked again: the others had their answer of the statement that they shared.
    expect(calls(statements, "redeem_metacode")).toBeLessThanOrEqual(3);
  });
});

/** The first `count` answers, whosever they are. */
function firstOf(answers: Promise<string>[], count: number): Promise<string[]> {
  const come: string[] = [];
  return new Promise((resolve) => {
    for (const answer of answers)
      void answer.then((text) => {
        if (come.push(text) === count) resolve([...come]);
      });
  });
}

/** Locks codes that nobody holds of those for iOS referees. */
async function freeCodes({ ctx, pools }: Tenant, db: Db, most = 100) {
  const { rows } = await db.orm.execute(sql`
    select c.id from codes c join batches b on b.app_id = c.app_id and b.id = c.batch_id
     where c.app_id = ${ctx.app.id} and b.pool_id = ${pools.ios.referee} and c.status = 'available'
     limit ${most} for update of c skip locked`);
  return rows;
}

test("an app whose redeems are held up holds up no other", async () => {
  const held = await inviting({ codes: 30 });
  const other = await inviting();
  let answers: Promise<string>[] = [];
  await undone(async (db) => {
    for (const uid of ["first", "second"]) await placeOf(held.tenant, uid, db);
    answers = held.askTogether(uids(12));
    await blockedBackends();
    expect(new Set(await Promise.all(other.askTogether(uids(4)))).size).toBe(6);
  });
  expect(new Set(await Promise.all(answers.slice(0, 2))).size).toBe(2);
  await Promise.all(answers);
});

test("the owner's daily cap is decided alone, because a place that is given up again counts for it", async () => {
  const { askTogether } = await inviting({ app: { referrerDailyCap: 4 } });
  const statements = await statementsOf(async () => {
    const answers = await Promise.all(askTogether(uids(6)));
    expect(answers.filter((answer) => answer === "CONFLICT")).toHaveLength(4);
    expect(new Set(answers).size).toBe(5);
  });
  expect(calls(statements, "redeem_metacode")).toBe(2 + 6);
});

test("who is still to be counted against the quota goes alone", async () => {
  const { api, metacode, tenant } = await running({ plan: "free", quota: 40, codes: 40 });
  const statements = await statementsOf(async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, (_, n) => api.redeem(`bob${n}`, metacode)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(39);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(11);
  });
  expect(calls(statements, "redeem_together")).toBe(0);
  expect(await assigned(tenant)).toHaveLength(39);
});
