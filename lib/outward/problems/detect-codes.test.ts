import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { formatLongDate } from "@/lib/contract/format";
import { detect } from "@/lib/outward/problems/detect";
import { batches, codes, refillRules } from "@/lib/platform/db/schema";
import { stockOf } from "@/lib/program/stats/stock";
import { copyCampaign } from "@/lib/testing/campaigns";
import { earnRewards } from "@/lib/testing/confirm";
import { ago, DAY, problemsOf, soundApp } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";
import { makeBatch, makePool, makeTenant } from "@/lib/testing/tenant";

useService();

describe("pools", () => {
  test("that are empty come before low ones; a new, unused pool is not a problem", async () => {
    const { ctx, pools: made } = await makeTenant({ codes: 0 });
    await makeBatch(ctx, made.ios.reward, "ios", { size: 50 });
    await makeBatch(ctx, made.android.referee, "android", { size: 51 });
    await makePool(ctx, "ios", "referee", 0);
    expect(await problemsOf(ctx)).toEqual([
      ["critical", "pool_low", `${made.ios.referee} empty`],
      ["critical", "pool_low", `${made.android.reward} empty`],
      ["warning", "pool_low", made.ios.reward],
    ]);
  });

  test("that are empty name the rewards of all campaigns that wait for them", async () => {
    const tenant = await makeTenant({ codes: 60 });
    const { ctx, pools: made } = tenant;
    await ctx.db.orm.update(batches).set({ state: "drained" }).where(eq(batches.poolId, made.ios.reward));
    await ctx.db.orm.update(codes).set({ status: "void" }).where(eq(codes.appId, ctx.app.id));
    const ended = await copyCampaign(tenant, { status: "ended" });
    await earnRewards(tenant, "ann", 1_003);
    await earnRewards({ ...tenant, campaignId: ended }, "ann", 2);
    expect(await detect(ctx)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          subject: `${made.ios.reward} empty`,
          severity: "critical",
          detail: expect.stringContaining("1,005 rewards are waiting for them"),
        }),
      ]),
    );
  });

  test("that are empty and unused by active campaigns are not critical", async () => {
    const { ctx } = await soundApp();
    const pool = await makePool(ctx, "ios", "referee", 0);
    await makeBatch(ctx, pool, "ios", { size: 5, expiresAt: ago(DAY) });
    const detail = "Import codes before a campaign uses it: no active one does.";
    expect(await detect(ctx)).toMatchObject([
      { severity: "warning", kind: "pool_low", subject: `${pool} empty`, detail },
    ]);
  });

  test("last less than 7 days at the current pace, however many codes they have; once low, until 10 days", async () => {
    const { ctx } = await soundApp();
    const [pool] = await stockOf(ctx);
    if (!pool) throw new Error("no pool");
    const lasting = async (daysLeft: number, open = new Map<string, Date>()) =>
      (await detect(ctx, { stock: [{ ...pool, free: 500, daysLeft }], open })).map(({ subject }) => subject);
    expect(await lasting(6.9)).toEqual([pool.id]);
    expect(await lasting(7)).toEqual([]);
    const open = new Map([[`pool_low ${pool.id}`, new Date()]]);
    expect(await lasting(9.9, open)).toEqual([pool.id]);
    expect(await lasting(10, open)).toEqual([]);
  });

  test("with quarantined codes mention them when empty", async () => {
    const { ctx, pools: made } = await soundApp();
    const quarantined = { state: "quarantined" } as const;
    await ctx.db.orm.update(batches).set(quarantined).where(eq(batches.poolId, made.ios.referee));
    expect(await detect(ctx)).toMatchObject([
      {
        subject: `${made.ios.referee} empty`,
        detail: expect.stringContaining("60 of its codes are quarantined"),
      },
    ]);
  });

  test("whose batch expires soon with codes left over have a problem; those whose batch expires later do not", async () => {
    const { ctx, pools: made } = await soundApp();
    const expiresAt = new Date(Date.now() + 2 * DAY);
    const soon = await makeBatch(ctx, made.ios.referee, "ios", { size: 7, offer: "Spring", expiresAt });
    await makeBatch(ctx, made.ios.referee, "ios", { size: 7, expiresAt: new Date(Date.now() + 60 * DAY) });
    expect(await detect(ctx)).toMatchObject([
      {
        severity: "warning",
        kind: "batch_expiring",
        subject: soon,
        title: expect.stringContaining("Codes of “Spring” expire on"),
        detail: expect.stringContaining("7 are free, and the pool is too new"),
      },
    ]);
  });

  test("without a pace warn of a batch in 14 days, but in their first week in 3, because the codes may yet be used", async () => {
    const { ctx } = await soundApp();
    const [pool] = await stockOf(ctx);
    const [batch] = pool?.batches ?? [];
    if (!pool || !batch) throw new Error("no pool");
    const warned = async (createdAt: Date, days: number, perDay = 0, free = 60) => {
      const expiresAt = new Date(Date.now() + days * DAY);
      const aged = { ...pool, createdAt, perDay, batches: [{ ...batch, free, expiresAt }] };
      const problems = await detect(ctx, { stock: [aged] });
      return problems.filter(({ kind }) => kind === "batch_expiring").map(({ detail }) => detail);
    };
    const [fresh, old] = [ago(DAY), ago(30 * DAY)];
    expect(await warned(fresh, 13)).toEqual([]);
    expect(await warned(fresh, 2.9)).toEqual([expect.stringContaining("too new for a forecast")]);
    expect(await warned(old, 13)).toEqual([expect.stringContaining("too few were assigned this week")]);
    expect(await warned(fresh, 13, 1)).toEqual([expect.stringContaining("at the current pace")]);
    expect(await warned(old, 13, 0, 1)).toEqual([expect.stringContaining(": 1 is free, and too few")]);
    expect(await warned(old, 15.1)).toEqual([]);
  });

  test("whose batches follow one another warn of what stays unused until the safety margin, and of no batch used later", async () => {
    const { ctx } = await soundApp();
    const [pool] = await stockOf(ctx);
    const [batch] = pool?.batches ?? [];
    if (!pool || !batch) throw new Error("no pool");
    let details: string[] = [];
    const warned = async (marginDays: number, ...batches: [id: string, free: number, days: number][]) => {
      const made = batches.map(([id, free, days]) => {
        return { ...batch, id, free, expiresAt: new Date(Date.now() + days * DAY) };
      });
      const used = {
        ...pool,
        perDay: 10,
        marginMs: marginDays * DAY,
        createdAt: ago(30 * DAY),
        batches: made,
      };
      const problems = await detect(ctx, { stock: [used] });
      const expiring = problems.filter(({ kind }) => kind === "batch_expiring");
      details = expiring.map(({ detail }) => detail);
      return expiring.map(({ subject }) => subject);
    };
    expect(await warned(1, ["first", 1_000, 5], ["second", 50, 13])).toEqual(["first"]);
    expect(details).toEqual([
      `Use them by ${formatLongDate(new Date(Date.now() + 4 * DAY))}, when they stop being assigned: 1,000 are free, more than will be used at the current pace.`,
    ]);
    expect(await warned(1, ["first", 1_000, 5], ["second", 90, 13])).toEqual(["first", "second"]);
    expect(await warned(1, ["only", 50, 7])).toEqual([]);
    expect(await warned(3, ["only", 50, 7])).toEqual(["only"]);
  });

  test("whose offers have an order warn of what stays unused in that order, also behind codes that never expire", async () => {
    const { ctx } = await soundApp();
    const [pool] = await stockOf(ctx);
    const [batch] = pool?.batches ?? [];
    if (!pool || !batch) throw new Error("no pool");
    const warned = async (
      offers: string[],
      ...batches: [offer: string, free: number, days: number | null][]
    ) => {
      const made = batches.map(([offer, free, days]) => {
        return { ...batch, id: offer, offer, free, expiresAt: days && new Date(Date.now() + days * DAY) };
      }) as typeof pool.batches;
      const used = { ...pool, offers, perDay: 10, marginMs: DAY, createdAt: ago(30 * DAY), batches: made };
      const problems = await detect(ctx, { stock: [used] });
      return problems.filter(({ kind }) => kind === "batch_expiring").map(({ subject }) => subject);
    };
    const [endless, soon] = [["a", 100, null] as const, ["b", 50, 7] as const];
    expect(await warned([], [...soon], [...endless])).toEqual([]);
    expect(await warned(["a", "b"], [...soon], [...endless])).toEqual(["b"]);
    expect(await warned(["a"], [...soon], [...endless])).toEqual(["b"]);
    expect(await warned(["b"], [...soon], [...endless])).toEqual([]);
    // Codes that expire before their turn do not move the turn of the next ones.
    expect(await warned(["a", "b", "c"], ["c", 30, 13], ["b", 50, 5], [...endless])).toEqual(["b", "c"]);
  });

  test("whose refill stopped say why; a refill that is off or running is not a problem", async () => {
    const { ctx, pools: made } = await soundApp();
    const rule = {
      appId: ctx.app.id,
      offerType: "subscription",
      offerId: "1",
      offerName: "Offer",
      threshold: 5,
      amount: 10,
      quarterCap: 50,
      validDays: 90,
    } as const;
    const stopped = { stopped: "cap", stoppedBecause: "Your cap is reached." } as const;
    await ctx.db.orm.insert(refillRules).values([
      { ...rule, ...stopped, poolId: made.ios.referee },
      { ...rule, ...stopped, poolId: made.ios.reward, enabled: false },
      { ...rule, poolId: made.android.referee },
    ]);
    expect(await detect(ctx)).toMatchObject([
      {
        severity: "warning",
        kind: "refill_stopped",
        subject: made.ios.referee,
        title: "The pool “ios referee” is no longer refilled",
        detail: "Review the refill rule: Your cap is reached.",
      },
    ]);
  });
});
