import { eq } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { ReferrerTimeline } from "@/components/referrer/referrer-timeline";
import { referralQuery } from "@/lib/contract/referral-list";
import { outbox, referrerProgress, rewards } from "@/lib/platform/db/schema";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { linkConfirmation, unlinkConfirmation } from "@/lib/program/confirmations/resolve";
import { joinUids } from "@/lib/program/end-users/join";
import { getReferral } from "@/lib/program/referrals/get";
import { listReferrals } from "@/lib/program/referrals/list";
import { restoreReferral, reverseReferral } from "@/lib/program/referrals/reverse";
import { getReferrer, referrerTimeline } from "@/lib/program/referrers/get";
import { clientOf } from "@/lib/testing/client";
import { applyEvent, refer } from "@/lib/testing/confirm";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { inParallel } from "@/lib/testing/parallel";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf, referralIdOf } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";

useService();

const reason = "Bought with a stolen card";

/** A referrer with two confirmed referrals and one reward for them. */
async function rewarded() {
  const tenant = await makeTenant({ threshold: 2 });
  const { metacode } = (await clientOf(tenant.key).referrer("ann")).body;
  const [uid = ""] = await refer(tenant, metacode, 2);
  const ctx = asTeamMember(tenant.ctx);
  const counts = async () => {
    const [count] = await ctx.db.orm
      .select()
      .from(referrerProgress)
      .where(eq(referrerProgress.appId, ctx.app.id));
    return [count?.confirmed, count?.earned, await ctx.db.orm.$count(rewards, eq(rewards.appId, ctx.app.id))];
  };
  const emitted = async (type: string) => {
    const rows = await ctx.db.orm.select().from(outbox).where(eq(outbox.appId, ctx.app.id));
    return rows.filter((row) => row.type === type).length;
  };
  return { ...tenant, ctx, uid, referralId: await referralIdOf(ctx, uid), metacode, counts, emitted };
}

describe("a reversal by hand", () => {
  test("removes the referral from the count, sends the event, and leaves the reward", async () => {
    const { ctx, referralId, counts, emitted } = await rewarded();
    expect(await counts()).toEqual([2, 1, 1]);
    await reverseReferral(ctx, { referralId, reason });
    expect(await counts()).toEqual([1, 1, 1]);
    expect(await emitted("referral.reversed")).toBe(1);
    expect(await auditOf(ctx)).toEqual([
      expect.objectContaining({ action: "referral.reversed", subjectId: referralId, after: { reason } }),
    ]);
  });

  test("can be taken back, and then counts as before, without a second reward", async () => {
    const { ctx, referralId, counts, emitted } = await rewarded();
    await reverseReferral(ctx, { referralId, reason });
    await restoreReferral(ctx, { referralId, reason: "A mistake" });
    expect(await counts()).toEqual([2, 1, 1]);
    expect(await emitted("reward.earned")).toBe(1);
    expect((await auditOf(ctx)).map(({ action, after }) => [action, after])).toEqual([
      ["referral.reversed", { reason }],
      ["referral.restored", { reason: "A mistake" }],
    ]);
    await expect(restoreReferral(ctx, { referralId, reason: "A mistake" })).rejects.toThrow("already counts");
  });

  test("after the reward was claimed and its restoring earn no further one, as stats, claim and recent claims agree", async () => {
    for (const withdraw of [undefined, "true"] as const) {
      const { ctx, key, referralId, metacode, ...tenant } = await rewarded();
      const api = clientOf(key);
      const claimed = (await api.claim("ann")).body.claimed_rewards;
      await reverseReferral(ctx, { referralId, reason, ...(withdraw && { withdraw }) });
      const agree = async (referrals_count: number) => {
        const stats = { referrals_count, rewards_earned: 1, rewards_available: 0 };
        expect((await api.referrer("ann")).body.stats).toMatchObject(stats);
        const { status, body } = await api.claim("ann");
        expect([status, body.recent_claims]).toEqual([404, claimed]);
      };
      await agree(1);
      // Another friend makes up for it.
      await refer({ ctx, key, ...tenant }, metacode, 1);
      await agree(2);
      await restoreReferral(ctx, { referralId, reason });
      await agree(3);
      await refer({ ctx, key, ...tenant }, metacode, 1);
      expect((await api.claim("ann")).body.claimed_rewards).toMatchObject([{ reward_number: 2 }]);
    }
  });

  test("names the member on the page of the referrer, and a refund names no member", async () => {
    const { ctx, referralId, metacode, uid, ...tenant } = await rewarded();
    const [refunded = ""] = await refer({ ctx, ...tenant }, metacode, 1);
    const referrerId = (await clientOf(tenant.key).referrer("ann")).body.referrer_id;
    const timeline = async () => {
      const { data: referrals } = await listReferrals(ctx, referralQuery.parse({ referrer: referrerId }));
      const referrer = await getReferrer(ctx, referrerId);
      const entries = await referrerTimeline(ctx, referrer, { referrals, rewards: [] });
      return renderToStaticMarkup(createElement(ReferrerTimeline, { base: "/app", entries }));
    };
    await reverseReferral(ctx, { referralId, reason });
    // However many changes the other referrals have.
    const other = { referralId: await referralIdOf(ctx, refunded), reason };
    for (let n = 0; n < 10; n++) {
      await reverseReferral(ctx, other);
      await restoreReferral(ctx, other);
    }
    await applyEvent(ctx, refunded, "reverse");
    expect(await timeline()).toContain(`${uid}</a> was reversed by Sam Support<`);
    expect(await timeline()).toContain(`${refunded}</a> was reversed<`);
    await restoreReferral(ctx, { referralId, reason });
    await applyEvent(ctx, uid, "reverse");
    expect(await timeline()).not.toContain("Sam Support");
  });

  test("happens once, however many people click at once, and a simultaneous refund becomes its reason", async () => {
    const { ctx, referralId, uid, counts, emitted } = await rewarded();
    const by = inParallel(6, 6, () =>
      reverseReferral(ctx, { referralId, reason }).then(
        () => 1,
        () => 0,
      ),
    );
    const [hands, refund] = await Promise.all([by, applyEvent(ctx, uid, "reverse")]);
    const sum = hands.reduce<number>((total, done) => total + done, 0);
    expect([sum <= 1, refund]).toEqual([true, "reversed"]);
    expect(await counts()).toEqual([1, 1, 1]);
    expect(await emitted("referral.reversed")).toBe(1);
    expect(await auditOf(ctx)).toHaveLength(sum);
  });
});

describe("nothing changes", () => {
  test("if nothing was confirmed", async () => {
    const { ctx, key, metacode } = await rewarded();
    await clientOf(key).redeem("eve", metacode);
    const referralId = await referralIdOf(ctx, "eve");
    const before = await rowsOfApp(ctx.app.id);
    await expect(reverseReferral(ctx, { referralId, reason })).rejects.toThrow(
      "neither counts nor is reversed",
    );
    await expect(restoreReferral(ctx, { referralId, reason: "A mistake" })).rejects.toThrow(
      "neither counts nor is reversed",
    );
    expect(await rowsOfApp(ctx.app.id)).toEqual(before);
  });

  test("if the provider reported the refund, which only it can withdraw", async () => {
    const { ctx, uid, referralId, counts } = await rewarded();
    await applyEvent(ctx, uid, "reverse");
    await expect(restoreReferral(ctx, { referralId, reason: "A mistake" })).rejects.toThrow(
      "The provider reported a refund",
    );
    expect(await counts()).toEqual([1, 1, 1]);
    await applyEvent(ctx, uid, "restore");
    await reverseReferral(ctx, { referralId, reason });
    await restoreReferral(ctx, { referralId, reason: "A mistake" });
    expect(await counts()).toEqual([2, 1, 1]);
  });

  test("in another app", async () => {
    const [mine, other] = [await rewarded(), await rewarded()];
    const before = await rowsOfApp(other.ctx.app.id);
    const attempt = reverseReferral(mine.ctx, { referralId: other.referralId, reason });
    await expect(attempt).rejects.toThrow("no such referral");
    expect(await rowsOfApp(other.ctx.app.id)).toEqual(before);
    expect(await auditOf(mine.ctx)).toEqual([]);
  });
});

test("a reversal of what became a person's own referral is not undone", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  await api.redeem("bob", metacode);
  await applyEvent(ctx, "bob");
  const referralId = await referralIdOf(ctx, "bob");
  await reverseReferral(ctx, { referralId, reason });
  await joinUids(ctx, { uid: "ann", otherUid: "bob", reason });
  await expect(restoreReferral(ctx, { referralId, reason })).rejects.toThrow("one person");
});

test("a refund of what became a person's own referral stays its reason, and no withdrawal ends the reversal", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  for (const uid of ["bob", "cem"]) {
    await api.redeem(uid, metacode);
    await applyEvent(ctx, uid);
  }
  await applyEvent(ctx, "bob", "reverse");
  await reverseReferral(ctx, { referralId: await referralIdOf(ctx, "cem"), reason });
  for (const otherUid of ["bob", "cem"]) await joinUids(ctx, { uid: "ann", otherUid, reason });
  expect(await applyEvent(ctx, "cem", "reverse")).toBe("reversed");
  for (const uid of ["bob", "cem"]) {
    expect(await applyEvent(ctx, uid, "restore")).toBe("unmatched");
    const { status, timeline } = await getReferral(ctx, await referralIdOf(ctx, uid));
    expect(status).toBe("reversed");
    expect(timeline).toContainEqual(expect.objectContaining({ kind: "reversed", byHand: false }));
  }
  expect((await listUnmatched(ctx, { lost: true })).data).toEqual([]);
});

test("a person's own referral does not count again by an unlinked refund, nor by an older purchase", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const ctx = asTeamMember(tenant.ctx);
  const at = Date.now();
  const sold = { at: at + 2_000, purchase: "coins" };
  for (const uid of ["bob", "cem"]) {
    await api.redeem(uid, metacode);
    expect(await applyEvent(ctx, uid, "confirm", uid === "cem" ? sold : {})).toBe("confirmed");
  }
  expect(await applyEvent(ctx, "stranger", "reverse")).toBe("unmatched");
  const eventId = (await listUnmatched(ctx)).data[0]?.id ?? "";
  await linkConfirmation(ctx, { eventId, uid: "bob", reason });
  expect(await applyEvent(ctx, "cem", "reverse", sold)).toBe("reversed");
  for (const otherUid of ["bob", "cem"]) await joinUids(ctx, { uid: "ann", otherUid, reason });
  await unlinkConfirmation(ctx, { eventId, reason });
  const bought = { at: at + 1_000, purchase: "premium" };
  expect(await applyEvent(ctx, "cem", "confirm", bought)).toBe("confirmed");
  for (const uid of ["bob", "cem"])
    expect((await getReferral(ctx, await referralIdOf(ctx, uid))).status).toBe("reversed");
});
