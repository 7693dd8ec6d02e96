import { sql } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { ReferralFacts } from "@/components/referral/referral-facts";
import { referralQuery } from "@/lib/contract/referral-list";
import { quarantineBatch, restoreBatch } from "@/lib/program/codes/batch-state";
import { revealCode } from "@/lib/program/codes/reveal";
import { listUnmatched } from "@/lib/program/confirmations/list";
import { linkConfirmation } from "@/lib/program/confirmations/resolve";
import { exportReferrals } from "@/lib/program/referrals/export";
import { getReferral } from "@/lib/program/referrals/get";
import { linkCandidates } from "@/lib/program/referrals/link-candidates";
import { reverseReferral } from "@/lib/program/referrals/reverse";
import { findEndUsers } from "@/lib/program/referrers/find";
import { getReferrer, referrerTimeline } from "@/lib/program/referrers/get";
import { updateReferrerNotes } from "@/lib/program/referrers/update";
import { listRewards } from "@/lib/program/rewards/list";
import { clientOf } from "@/lib/testing/client";
import { applyEvent } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf, referralIdOf, replaceCodeOf } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";

useService();

const reason = "Mistyped";

async function referred() {
  const tenant = await makeTenant({ threshold: 1, offer: null });
  const api = clientOf(tenant.key);
  const ann = (await api.referrer("ann", { name: "Ann" })).body;
  const { code } = (await api.redeem("eve", ann.metacode)).body as { code: string };
  const ctx = asTeamMember(tenant.ctx);
  return { ctx, api, ann, code, id: await referralIdOf(ctx, "eve") };
}

const kinds = ({ timeline }: { timeline: { kind: string }[] }) => timeline.map(({ kind }) => kind);

describe("a referral's page", () => {
  test("shows its history in order: code, replacement, event, confirmation, reward, reversal", async () => {
    const { ctx, id, ann } = await referred();
    await replaceCodeOf(ctx, id, reason);
    await applyEvent(ctx, "eve");
    await reverseReferral(ctx, { referralId: id, reason });
    const view = await getReferral(ctx, id);
    expect(view).toMatchObject({
      status: "reversed",
      replaced: true,
      reversedByProvider: false,
      refereeUid: "eve",
    });
    expect(view.referrer).toEqual({ id: ann.referrer_id, name: "Ann", metacode: ann.metacode });
    expect(kinds(view).filter((kind) => kind !== "audit")).toEqual([
      "code_assigned",
      "code_replaced",
      "event",
      "confirmed",
      "reward",
      "reversed",
    ]);
    const lines = view.timeline.filter((entry) => entry.kind === "audit");
    expect(lines.map(({ action }) => action)).toEqual(["referral.reversed"]);
    const exchange = view.timeline.find((entry) => entry.kind === "code_replaced");
    expect(exchange).toMatchObject({ reason, by: lines[0]?.actor });
    const event = view.timeline.find((entry) => entry.kind === "event");
    expect(event).toMatchObject({ verdict: "confirmed", payload: "{}" });
    expect(view.timeline[0]).toMatchObject({ code: { status: "void" } });
  });

  test("never holds a whole code", async () => {
    const { ctx, id, code } = await referred();
    const before = JSON.stringify(await getReferral(ctx, id));
    expect(before).toContain(code.slice(-4));
    expect(before).not.toContain(code);
    await replaceCodeOf(ctx, id, reason);
    expect(JSON.stringify(await getReferral(ctx, id))).not.toContain(code);
  });

  test("is missing in another app", async () => {
    const [mine, other] = [await referred(), await referred()];
    await expect(getReferral(mine.ctx, other.id)).rejects.toThrow("no such referral");
    await expect(getReferral(mine.ctx, "x")).rejects.toThrow("no such referral");
    await expect(getReferrer(mine.ctx, other.ann.referrer_id)).rejects.toThrow("no such referrer");
    await expect(revealCode(mine.ctx, { assignmentId: other.id })).rejects.toThrow("No code");
  });
});

describe("a referrer's page", () => {
  test("shows the API's numbers, its masked rewards, and its history", async () => {
    const { ctx, api, ann } = await referred();
    await applyEvent(ctx, "eve");
    const [claimed] = (await api.claim("ann")).body.claimed_rewards;
    await updateReferrerNotes(ctx, { referrerId: ann.referrer_id, notes: "A friend of the house" });
    const view = await getReferrer(ctx, ann.referrer_id);
    const response = (await api.referrer("ann")).body;
    expect(view).toMatchObject({
      uid: "ann",
      name: "Ann",
      notes: "A friend of the house",
      link: response.referral_link,
    });
    expect([view.progress, view.stats, view.shown]).toEqual([
      response.progress,
      response.stats,
      response.status,
    ]);
    const { data: rewards } = await listRewards(ctx, view.id);
    expect(rewards).toMatchObject([
      { rewardNumber: 1, status: "claimed", code: `••••${claimed.code.slice(-4)}` },
    ]);
    const timeline = await referrerTimeline(ctx, view, { referrals: [], rewards });
    expect(timeline.map(({ kind }) => kind)).toEqual(["audit", "claimed", "earned", "created"]);
    expect(JSON.stringify(await auditOf(ctx))).not.toContain("friend");
  });
});

describe("people are found", () => {
  test("by metacode, uid, name, the referee's uid, the whole code and any id", async () => {
    const { ctx, ann, code, id } = await referred();
    const matches = async (text: string) =>
      (await findEndUsers(ctx, text)).map(({ kind, id: matchId }) => `${kind} ${matchId}`);
    const referrer = `referrer ${ann.referrer_id}`;
    expect(await matches(` ${ann.metacode.toUpperCase()} `)).toEqual([referrer]);
    expect(await matches("an")).toEqual([referrer]);
    expect(await matches("ev")).toEqual([`referee ${id}`]);
    expect(await matches(code.toLowerCase())).toEqual([`code ${id}`]);
    expect(await matches(code.slice(0, -1))).toEqual([]);
    expect(await matches(id)).toEqual([`referee ${id}`]);
    expect(await matches(ann.referrer_id)).toEqual([referrer]);
    // The id may be a request's, whose page says why it is missing.
    const unknown = uuidv7();
    expect(await matches(unknown)).toEqual([`request ${unknown}`]);
    expect(await matches("  ")).toEqual([]);
    const other = await referred();
    expect(await findEndUsers(other.ctx, code)).toEqual([]);
  });
});

describe("an unmatched confirmation", () => {
  test("is offered the referrals that it would change, and linked to one with an audit entry", async () => {
    const { ctx, api, ann, id } = await referred();
    await api.redeem("evil", ann.metacode);
    await applyEvent(ctx, "evil");
    await applyEvent(ctx, "alias-of-eve");
    const [event] = (await listUnmatched(ctx)).data;
    const uids = async (text?: string) =>
      (await linkCandidates(ctx, event?.id ?? "", text)).data.map(({ refereeUid }) => refereeUid);
    expect([await uids(), await uids("ev"), await uids("x")]).toEqual([["eve"], ["eve"], []]);
    const link = (uid: string) =>
      linkConfirmation(ctx, { eventId: event?.id ?? "", uid, reason: "The receipt" });
    expect((await link("stranger")).status).toBe("unmatched");
    expect(await auditOf(ctx)).toEqual([]);
    expect(await link("eve")).toEqual({ status: "confirmed", referralId: id });
    expect((await getReferral(ctx, id)).status).toBe("redeemed");
    expect((await auditOf(ctx)).map(({ action }) => action)).toEqual(["event.linked"]);
  });
});

test("candidates for a link are looked for among 10,000 referrals older than the event, and beyond by the uid", async () => {
  const { ctx, id } = await referred();
  await applyEvent(ctx, "alias-of-eve");
  const add = (uid: string, later: string) =>
    ctx.db.orm.execute(sql`insert into referrals
        (app_id, campaign_id, referee_uid, id, referrer_id, platform, status, created_at, confirmed_at)
      select f.app_id, f.campaign_id, ${uid} || n, gen_random_uuid(), f.referrer_id, f.platform, 'redeemed',
             f.created_at + ${later}::interval, now()
        from referrals f cross join generate_series(1, 10000) n
       where f.app_id = ${ctx.app.id} and f.id = ${id}`);
  const [event] = (await listUnmatched(ctx)).data;
  const found = async (text?: string) => {
    const { data, nextCursor } = await linkCandidates(ctx, event?.id ?? "", text);
    return [...data.map(({ refereeUid }) => refereeUid), ...(nextCursor ? ["and more"] : [])];
  };
  await add("young-", "1 hour");
  expect(await found()).toEqual(["eve"]);
  await add("done-", "1 microsecond");
  expect([await found(), await found("ev")]).toEqual([["and more"], ["eve"]]);
});

test("a code of a batch in quarantine says so, with what to do, until the batch is restored", async () => {
  const { ctx, key } = await makeTenant();
  const api = clientOf(key);
  await api.redeem("ben", (await api.referrer("ann")).body.metacode);
  const shown = async () => {
    const referral = await getReferral(ctx, await referralIdOf(ctx, "ben"));
    return [
      referral.code?.batchId ?? "",
      renderToStaticMarkup(createElement(ReferralFacts, { base: "/app", referral })),
    ] as const;
  };
  const [batchId, before] = await shown();
  expect(before).not.toContain("quarantine");
  await quarantineBatch(ctx, batchId);
  expect((await shown())[1]).toContain("in quarantine: replace the code if the user cannot redeem it");
  await restoreBatch(ctx, batchId);
  expect((await shown())[1]).toBe(before);
  await quarantineBatch(ctx, batchId);
  await applyEvent(ctx, "ben");
  expect((await shown())[1]).not.toContain("quarantine");
});

test("a revealed code is remembered by the audit log, without its text", async () => {
  const { ctx, id, code } = await referred();
  expect(await revealCode(ctx, { assignmentId: id })).toEqual({ code });
  const [entry] = await auditOf(ctx);
  expect(entry).toMatchObject({
    action: "code.revealed",
    subjectId: id,
    subjectName: `••••${code.slice(-4)}`,
  });
  expect(JSON.stringify(entry)).not.toContain(code);
});

test("an export holds every row that the filters want, masked, and is remembered", async () => {
  const { ctx, api, ann, code } = await referred();
  for (const uid of ["a", "b", "c"]) await api.redeem(uid, ann.metacode, "android");
  const rows = async (query: Record<string, string>) => {
    const taken = [];
    for await (const row of await exportReferrals(ctx, referralQuery.parse(query))) taken.push(row);
    return taken;
  };
  expect((await rows({ platform: "android" })).map((row) => row.referee_uid)).toEqual(["c", "b", "a"]);
  const all = await rows({ cursor: "ignored" });
  expect(all).toHaveLength(4);
  expect(JSON.stringify(all)).not.toContain(code);
  expect((await auditOf(ctx))[0]).toMatchObject({
    action: "referral.exported",
    after: { platform: "android" },
  });
});

test("a reversed referral did not count towards a reward that was earned later", async () => {
  const tenant = await makeTenant({ threshold: 2 });
  const ctx = asTeamMember(tenant.ctx);
  const api = clientOf(tenant.key);
  const { metacode } = (await api.referrer("ann")).body;
  for (const uid of ["a", "b", "c"]) await api.redeem(uid, metacode);
  await applyEvent(ctx, "a");
  const referralId = await referralIdOf(ctx, "a");
  await reverseReferral(ctx, { referralId, reason });
  for (const uid of ["b", "c"]) await applyEvent(ctx, uid);
  const { timeline } = await getReferral(ctx, referralId);
  expect(timeline.filter(({ kind }) => kind === "reward")).toEqual([]);
});
