import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { clicks, idempotencyKeys, outbox, referrals } from "@/lib/db/schema";
import { idempotencyOf } from "@/lib/idempotency/key";
import { assigned, running } from "@/lib/testing/running";
import { useService } from "@/lib/testing/service";
import { statementsOf } from "@/lib/testing/statements";
import { calls, inviting, uids, type Wish } from "@/lib/testing/together";

useService();

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
