import { and, eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { replaceCode } from "@/lib/codes/replace";
import { batches, codeReplacements, codes, offerTakers } from "@/lib/db/schema";
import { clientOf } from "@/lib/testing/client";
import { refer, tell } from "@/lib/testing/confirm";
import { inParallel } from "@/lib/testing/parallel";
import { useService } from "@/lib/testing/service";
import { asPerson, auditOf, referralIdOf, stateOf } from "@/lib/testing/support";
import { makeBatch, makeTenant, type Tenant, type TenantOptions } from "@/lib/testing/tenant";

useService();

const reason = "The store says it is invalid";

/** A referee with a code, which a retry can ask for again. */
async function assigned(options: TenantOptions = {}) {
  const tenant = await makeTenant(options);
  const api = clientOf(tenant.key);
  const { metacode } = (await api.referrer("ann")).body;
  const headers = { "idempotency-key": "first" };
  const { code } = (await api.redeem("eve", metacode, "ios", {}, headers)).body as { code: string };
  const ctx = asPerson(tenant.ctx);
  const assignmentId = await referralIdOf(ctx, "eve");
  const ask = async (key?: string) => {
    const reply = await api.redeem("eve", metacode, "ios", {}, key ? { "idempotency-key": key } : {});
    return (reply.body.code ?? reply.body.redemption?.code) as string;
  };
  return { ...tenant, ctx, api, metacode, code, assignmentId, ask };
}

const codesOf = ({ ctx }: Pick<Tenant, "ctx">) =>
  ctx.db.orm.select().from(codes).where(eq(codes.appId, ctx.app.id));

async function given(tenant: Pick<Tenant, "ctx">, assignmentId: string) {
  return (await codesOf(tenant)).filter((code) => code.assignmentId === assignmentId);
}

describe("a replaced code", () => {
  test("is void, and its holder has another of the same pool", async () => {
    const eve = await assigned();
    const masked = await replaceCode(eve.ctx, { assignmentId: eve.assignmentId, reason });
    const all = await codesOf(eve);
    const old = all.find(({ code }) => code === eve.code);
    const [now, ...more] = await given(eve, eve.assignmentId);
    expect(old).toMatchObject({ status: "void", assignmentId: null, redeemedByUid: "eve" });
    expect(now).toMatchObject({ status: "assigned", redeemedByUid: "eve", referrerId: old?.referrerId });
    expect([now?.batchId, more]).toEqual([old?.batchId, []]);
    expect(masked).toEqual({ code: `••••${now?.code.slice(-4)}` });
    expect(await eve.ctx.db.orm.select().from(codeReplacements)).toContainEqual(
      expect.objectContaining({
        assignmentId: eve.assignmentId,
        oldCodeId: old?.id,
        newCodeId: now?.id,
        reason,
      }),
    );
  });

  test("is in the audit log without its text", async () => {
    const eve = await assigned();
    const { code } = await replaceCode(eve.ctx, { assignmentId: eve.assignmentId, reason });
    const [entry] = await auditOf(eve.ctx);
    expect(entry).toMatchObject({
      action: "code.replaced",
      subjectId: eve.assignmentId,
      actorName: "Sam Support",
    });
    expect(entry?.after).toEqual({ code, reason });
    expect(JSON.stringify(entry)).not.toContain(eve.code);
  });

  test("is never told again: neither on a retry nor from a stored answer", async () => {
    const eve = await assigned();
    await eve.ask("second");
    await replaceCode(eve.ctx, { assignmentId: eve.assignmentId, reason });
    const [now] = await given(eve, eve.assignmentId);
    expect(now?.code).not.toBe(eve.code);
    const answers = [
      await eve.ask(),
      await eve.ask("first"),
      await eve.ask("second"),
      await eve.ask("third"),
    ];
    expect(answers).toEqual(Array(4).fill(now?.code));
  });

  test("that a purchase confirmed afterwards counts like any other", async () => {
    const eve = await assigned();
    await replaceCode(eve.ctx, { assignmentId: eve.assignmentId, reason });
    expect(await tell(eve.ctx, "eve")).toBe("confirmed");
    expect((await given(eve, eve.assignmentId)).map(({ status }) => status)).toEqual(["confirmed"]);
  });
});

describe("of two at once", () => {
  test("replacements, one is done", async () => {
    const eve = await assigned();
    const results = await inParallel(8, 8, () =>
      replaceCode(eve.ctx, { assignmentId: eve.assignmentId, reason }).then(
        () => "done",
        (error: Error) => error.message,
      ),
    );
    expect(results.filter((result) => result === "done")).toHaveLength(1);
    expect(new Set(results)).toEqual(new Set(["done", "This code was replaced already, which is done once"]));
    expect((await codesOf(eve)).filter(({ status }) => status === "void")).toHaveLength(1);
    expect(await given(eve, eve.assignmentId)).toHaveLength(1);
    expect(await auditOf(eve.ctx)).toHaveLength(1);
  });

  test("a replacement and retries, each retry has one of the two codes, and the last the new one", async () => {
    const eve = await assigned();
    const [, ...answers] = await Promise.all([
      replaceCode(eve.ctx, { assignmentId: eve.assignmentId, reason }),
      ...Array.from({ length: 12 }, (_, n) => eve.ask(`retry-${n}`)),
    ]);
    const [now] = await given(eve, eve.assignmentId);
    expect([eve.code, now?.code]).toEqual(expect.arrayContaining([...new Set(answers)]));
    for (let n = 0; n < 12; n++) expect(await eve.ask(`retry-${n}`)).toBe(now?.code);
  });

  test("a replacement and a confirmation, either the code was replaced before or it stays", async () => {
    for (let round = 0; round < 6; round++) {
      const eve = await assigned();
      const [done, told] = await Promise.all([
        replaceCode(eve.ctx, { assignmentId: eve.assignmentId, reason }).then(
          () => true,
          () => false,
        ),
        tell(eve.ctx, "eve"),
      ]);
      expect(told).toBe("confirmed");
      const [now, ...more] = await given(eve, eve.assignmentId);
      expect([now?.status, now?.code === eve.code, more]).toEqual(["confirmed", !done, []]);
    }
  });
});

describe("nothing changes", () => {
  async function refused(
    eve: Awaited<ReturnType<typeof assigned>>,
    words: string,
    assignmentId = eve.assignmentId,
  ) {
    const before = await stateOf(eve.ctx.app.id);
    await expect(replaceCode(eve.ctx, { assignmentId, reason })).rejects.toThrow(words);
    expect(await stateOf(eve.ctx.app.id)).toEqual(before);
  }

  test("where the pool has no other code", async () => {
    await refused(await assigned({ codes: 1 }), "no other free code");
  });

  test("where all that is left is of the offer that the person has had", async () => {
    const eve = await assigned({ offer: "spring" });
    await refused(eve, "of a store offer that this person has had");
    await makeBatch(eve.ctx, eve.pools.ios.referee, "ios", { size: 1, offer: "summer" });
    await replaceCode(eve.ctx, { assignmentId: eve.assignmentId, reason });
    const offers = await eve.ctx.db.orm
      .select()
      .from(offerTakers)
      .where(eq(offerTakers.appId, eve.ctx.app.id));
    expect(offers.map(({ offer }) => offer).sort()).toEqual(["spring", "summer"]);
  });

  test("where the pool has but the same text again", async () => {
    const eve = await assigned({ codes: 1 });
    const { ctx, pools, api, metacode } = eve;
    await makeBatch(ctx, pools.ios.referee, "ios", { size: 5, kind: "custom" });
    await api.redeem("cid", metacode);
    const assignmentId = await referralIdOf(ctx, "cid");
    await refused(eve, "no other free code", assignmentId);
    const other = await makeBatch(ctx, pools.ios.referee, "ios", { size: 5, kind: "custom" });
    await replaceCode(ctx, { assignmentId, reason });
    expect((await given(eve, assignmentId))[0]?.batchId).toBe(other);
  });

  test("where the batch that is left expires too soon", async () => {
    const eve = await assigned({ codes: 1 });
    const soon = new Date(Date.now() + 3_600_000);
    await makeBatch(eve.ctx, eve.pools.ios.referee, "ios", { size: 1, expiresAt: soon });
    await refused(eve, "no other free code");
  });

  test("where the purchase has confirmed the code", async () => {
    const eve = await assigned();
    await tell(eve.ctx, "eve");
    await refused(eve, "so it was not dead");
  });

  test("where the code is another app's, or nothing has one", async () => {
    const eve = await assigned();
    const other = await assigned();
    const before = await stateOf(other.ctx.app.id);
    await refused(eve, "No code was given", other.assignmentId);
    await refused(eve, "No code was given", uuidv7());
    expect(await stateOf(other.ctx.app.id)).toEqual(before);
  });
});

describe("the code of a reward", () => {
  test("is replaced in the same way, and a repeated claim tells the new one", async () => {
    const tenant = await makeTenant({ threshold: 1 });
    const api = clientOf(tenant.key);
    await refer(tenant, (await api.referrer("ann")).body.metacode, 2);
    const headers = { "idempotency-key": "claim" };
    const [first, second] = (await api.claim("ann", headers)).body.claimed_rewards;
    const ctx = asPerson(tenant.ctx);
    await replaceCode(ctx, { assignmentId: first.reward_id, reason });
    const [now] = await given(tenant, first.reward_id);
    expect(now?.code).not.toBe(first.code);
    const told = [
      (await api.claim("ann", headers)).body.claimed_rewards,
      (await api.claim("ann")).body.recent_claims,
    ].map((rewards: { code: string }[]) => rewards.map(({ code }) => code));
    expect(told).toEqual([
      [now?.code, second.code],
      [now?.code, second.code],
    ]);
    const [batch] = await ctx.db.orm
      .select()
      .from(batches)
      .where(and(eq(batches.appId, ctx.app.id), eq(batches.id, now?.batchId ?? "")));
    expect(batch?.poolId).toBe(tenant.pools.ios.reward);
  });
});
