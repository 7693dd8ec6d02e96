import { and, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { batches, codeReplacements, offerTakers } from "@/lib/platform/db/schema";
import { replaceCode } from "@/lib/program/codes/replace";
import { assigned, codesAssigned, codesOf } from "@/lib/testing/assigned-code";
import { clientOf } from "@/lib/testing/client";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { inParallel } from "@/lib/testing/parallel";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf, codeIdOf, referralIdOf, replaceCodeOf } from "@/lib/testing/support";
import { makeBatch, makeTenant, type Tenant } from "@/lib/testing/tenant";

useService();

const reason = "The store says it is invalid";

describe("a replaced code", () => {
  test("is void, and its holder has another code of the same pool", async () => {
    const eve = await assigned();
    const masked = await replaceCodeOf(eve.ctx, eve.assignmentId, reason);
    const all = await codesOf(eve);
    const old = all.find(({ code }) => code === eve.code);
    const [now, ...more] = await codesAssigned(eve, eve.assignmentId);
    expect(old).toMatchObject({ status: "void", assignmentId: null, redeemedByUid: "eve" });
    expect(now).toMatchObject({ status: "assigned", redeemedByUid: "eve", referrerId: old?.referrerId });
    expect([now?.batchId, more]).toEqual([old?.batchId, []]);
    expect(masked).toBe(`••••${now?.code.slice(-4)}`);
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
    const code = await replaceCodeOf(eve.ctx, eve.assignmentId, reason);
    const [entry] = await auditOf(eve.ctx);
    expect(entry).toMatchObject({
      action: "code.replaced",
      subjectId: eve.assignmentId,
      actorName: "Sam Support",
    });
    expect(entry?.after).toEqual({ code, reason });
    expect(JSON.stringify(entry)).not.toContain(eve.code);
  });

  test("is in no later response: neither on a retry nor from a stored response", async () => {
    const eve = await assigned();
    await eve.ask("second");
    await replaceCodeOf(eve.ctx, eve.assignmentId, reason);
    const [now] = await codesAssigned(eve, eve.assignmentId);
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
    await replaceCodeOf(eve.ctx, eve.assignmentId, reason);
    expect(await applyEvent(eve.ctx, "eve")).toBe("confirmed");
    expect((await codesAssigned(eve, eve.assignmentId)).map(({ status }) => status)).toEqual(["confirmed"]);
  });
});

describe("an offer whose only code was dead", () => {
  const offersOf = async ({ ctx }: Pick<Tenant, "ctx">) =>
    (await ctx.db.orm.select().from(offerTakers).where(eq(offerTakers.appId, ctx.app.id))).map(
      ({ offer, uid }) => `${uid} ${offer}`,
    );

  test("is free for its holder again, in both stores", async () => {
    const eve = await assigned({ offer: "spring" });
    await replaceCodeOf(eve.ctx, eve.assignmentId, reason);
    expect(await codesAssigned(eve, eve.assignmentId)).toHaveLength(1);
    expect(await offersOf(eve)).toEqual(["eve spring"]);
    await eve.api.redeem("kim", eve.metacode, "android");
    await replaceCodeOf(eve.ctx, await referralIdOf(eve.ctx, "kim"), reason);
  });

  test("is replaced from another batch, because its own may be the trouble, and its offer is not used up", async () => {
    const eve = await assigned({ offer: "spring", codes: 20 });
    await makeBatch(eve.ctx, eve.pools.ios.referee, "ios", { size: 1, offer: "summer" });
    await replaceCodeOf(eve.ctx, eve.assignmentId, reason);
    expect(await offersOf(eve)).toEqual(["eve summer"]);
  });
});

describe("of two at once", () => {
  test.each([1, 2])("replacements number %i, one wins", async (number) => {
    const eve = await assigned();
    for (let before = 1; before < number; before++) await replaceCodeOf(eve.ctx, eve.assignmentId, reason);
    const codeId = await codeIdOf(eve.ctx, eve.assignmentId);
    const results = await inParallel(8, 8, () =>
      replaceCode(eve.ctx, { assignmentId: eve.assignmentId, codeId, reason }).then(
        () => "done",
        (error: Error) => error.message,
      ),
    );
    expect(results.filter((result) => result === "done")).toHaveLength(1);
    expect(new Set(results)).toEqual(
      new Set(["done", "This code has already been replaced. Reload the page to see the new one"]),
    );
    expect((await codesOf(eve)).filter(({ status }) => status === "void")).toHaveLength(number);
    expect(await codesAssigned(eve, eve.assignmentId)).toHaveLength(1);
    expect(await auditOf(eve.ctx)).toHaveLength(number);
  });

  test("replacements by the former version, which names no code, one wins and the next is refused", async () => {
    const eve = await assigned();
    const call = () =>
      eve.ctx.db.orm.execute<{ verdict: string }>(
        sql`select replace_code(${eve.ctx.app.id}, ${eve.assignmentId}, 'dead') ->> 'verdict' as verdict`,
      );
    const verdicts = (await inParallel(4, 4, call)).map(({ rows }) => rows[0]?.verdict);
    expect(verdicts.sort()).toEqual(["OK", "REPLACED", "REPLACED", "REPLACED"]);
  });

  test("a replacement beside retries: each retry gets one of the two codes, and the last one the new code", async () => {
    const eve = await assigned();
    const [, ...answers] = await Promise.all([
      replaceCodeOf(eve.ctx, eve.assignmentId, reason),
      ...Array.from({ length: 12 }, (_, n) => eve.ask(`retry-${n}`)),
    ]);
    const [now] = await codesAssigned(eve, eve.assignmentId);
    expect([eve.code, now?.code]).toEqual(expect.arrayContaining([...new Set(answers)]));
    for (let n = 0; n < 12; n++) expect(await eve.ask(`retry-${n}`)).toBe(now?.code);
  });

  test("a replacement and a confirmation, either the code was replaced before or it stays", async () => {
    for (let round = 0; round < 6; round++) {
      const eve = await assigned();
      const [done, status] = await Promise.all([
        replaceCodeOf(eve.ctx, eve.assignmentId, reason).then(
          () => true,
          () => false,
        ),
        applyEvent(eve.ctx, "eve"),
      ]);
      expect(status).toBe("confirmed");
      const [now, ...more] = await codesAssigned(eve, eve.assignmentId);
      expect([now?.status, now?.code === eve.code, more]).toEqual(["confirmed", !done, []]);
    }
  });
});

describe("nothing changes", () => {
  async function refused(
    eve: Awaited<ReturnType<typeof assigned>>,
    message: string,
    assignmentId = eve.assignmentId,
    code?: string,
  ) {
    const codeId = code ?? (await codeIdOf(eve.ctx, assignmentId));
    const before = await rowsOfApp(eve.ctx.app.id);
    await expect(replaceCode(eve.ctx, { assignmentId, codeId, reason })).rejects.toThrow(message);
    expect(await rowsOfApp(eve.ctx.app.id)).toEqual(before);
  }

  test("if the pool has no other code", async () => {
    await refused(await assigned({ codes: 1 }), "no other free code");
  });

  test("if all remaining codes are of an offer that the user has had", async () => {
    const eve = await assigned({ codes: 1 });
    await makeBatch(eve.ctx, eve.pools.ios.referee, "ios", { size: 5, offer: "spring" });
    const had = { appId: eve.ctx.app.id, platform: "ios", offer: "spring", uid: "eve" } as const;
    await eve.ctx.db.orm.insert(offerTakers).values(had);
    await refused(eve, "of every store offer left in the pool");
  });

  test("if the pool has only the same text", async () => {
    const eve = await assigned({ codes: 1 });
    const { ctx, pools, api, metacode } = eve;
    await makeBatch(ctx, pools.ios.referee, "ios", { size: 5, kind: "custom" });
    await api.redeem("cid", metacode);
    const assignmentId = await referralIdOf(ctx, "cid");
    await refused(eve, "no other free code", assignmentId);
    const other = await makeBatch(ctx, pools.ios.referee, "ios", { size: 5, kind: "custom" });
    await replaceCodeOf(ctx, assignmentId, reason);
    expect((await codesAssigned(eve, assignmentId))[0]?.batchId).toBe(other);
  });

  test("if the remaining batch expires too soon", async () => {
    const eve = await assigned({ codes: 1 });
    const soon = new Date(Date.now() + 3_600_000);
    await makeBatch(eve.ctx, eve.pools.ios.referee, "ios", { size: 1, expiresAt: soon });
    await refused(eve, "no other free code");
  });

  test("if a purchase has confirmed the code", async () => {
    const eve = await assigned();
    await applyEvent(eve.ctx, "eve");
    await refused(eve, "so it works and cannot be replaced");
  });

  test("if the code is another app's, or no code is assigned", async () => {
    const eve = await assigned();
    const other = await assigned();
    const before = await rowsOfApp(other.ctx.app.id);
    const codeId = await codeIdOf(other.ctx, other.assignmentId);
    await refused(eve, "The redemption may have been released: reload the page", other.assignmentId, codeId);
    await refused(eve, "No code is assigned here", uuidv7(), codeId);
    expect(await rowsOfApp(other.ctx.app.id)).toEqual(before);
  });
});

describe("the code of a reward", () => {
  test("is replaced in the same way, and a repeated claim answers with the new code", async () => {
    const tenant = await makeTenant({ threshold: 1 });
    const api = clientOf(tenant.key);
    await refer(tenant, (await api.referrer("ann")).body.metacode, 2);
    const headers = { "idempotency-key": "claim" };
    const [first, second] = (await api.claim("ann", headers)).body.claimed_rewards;
    const ctx = asTeamMember(tenant.ctx);
    await replaceCodeOf(ctx, first.reward_id, reason);
    const [now] = await codesAssigned(tenant, first.reward_id);
    expect(now?.code).not.toBe(first.code);
    const answered = [
      (await api.claim("ann", headers)).body.claimed_rewards,
      (await api.claim("ann")).body.recent_claims,
    ].map((rewards: { code: string }[]) => rewards.map(({ code }) => code));
    expect(answered).toEqual([
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
