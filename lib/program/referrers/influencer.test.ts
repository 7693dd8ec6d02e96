import { and, asc, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { auditLabel } from "@/lib/contract/audit";
import { auditLog, campaignPlatforms, clicks, referrals, referrers } from "@/lib/platform/db/schema";
import type { AppError } from "@/lib/platform/errors";
import { createCampaign } from "@/lib/program/campaigns/create";
import { endCampaign } from "@/lib/program/campaigns/lifecycle";
import { conflictOf } from "@/lib/tenants/audit/changes";
import { auditOfSubject } from "@/lib/tenants/audit/list";
import type { Context } from "@/lib/tenants/context";
import { copyCampaign } from "@/lib/testing/campaigns";
import { clientOf } from "@/lib/testing/client";
import { refer } from "@/lib/testing/confirm";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { createInfluencer } from "./create-influencer";
import { exportReferrers } from "./export";
import { getReferrer } from "./get";
import { listInfluencers } from "./list-influencers";
import { CHECKS_PER_DAY, CHOSEN_PER_DAY, metacodeState, updateMetacode } from "./metacode";
import { updateInfluencer, updateReferrerStatus } from "./update";

useService();

async function withInfluencer(metacode: string) {
  const tenant = await makeTenant();
  const platforms = { ios: { threshold: 1 } };
  const { id: campaignId } = await createCampaign(tenant.ctx, {
    type: "influencer",
    name: "Stars",
    platforms,
  });
  const made = await createInfluencer(tenant.ctx, {
    campaignId,
    metacode,
    name: "Anna",
    handle: "@anna",
    notes: "Met at the\nfair",
    metadata: { avatar: "https://example.com/a.png" },
  });
  const read = async () => {
    const sameReferrer = and(eq(referrers.appId, tenant.ctx.app.id), eq(referrers.id, made.id));
    return (await tenant.ctx.db.orm.select().from(referrers).where(sameReferrer))[0];
  };
  return { ...tenant, ...made, campaignId, read };
}

test("a profile is stored beside other metadata, and emptied fields are removed", async () => {
  const { ctx, id, read } = await withInfluencer("profile1");
  const avatar = "https://example.com/a.png";
  expect(await read()).toMatchObject({
    metadata: { avatar, name: "Anna", handle: "@anna" },
    notes: "Met at the\nfair",
  });
  await updateInfluencer(ctx, { referrerId: id, metacode: "profile1", name: "Anna B." });
  expect(await read()).toMatchObject({ metadata: { avatar, name: "Anna B." }, notes: null });
  expect((await read())?.metadata).not.toHaveProperty("handle");
});

test("the file of referrers names no user ID of an influencer that has none, like the page", async () => {
  const { ctx, campaignId } = await withInfluencer("filed1");
  await createInfluencer(ctx, { campaignId, metacode: "filed2", uid: "ben" });
  const uids: Record<string, unknown> = {};
  for await (const row of await exportReferrers(ctx, {})) uids[row.metacode] = row.uid;
  expect(uids).toEqual({ filed1: undefined, filed2: "ben" });
});

test("an influencer has the platforms of the campaign, and those where an earlier campaign counted referrals", async () => {
  const { ctx, id } = await withInfluencer("platforms1");
  expect(await getReferrer(ctx, id)).toMatchObject({ inCampaign: ["ios"], platforms: ["ios"] });
  const tenant = await makeTenant();
  const { metacode, referrer_id: referrerId } = (await clientOf(tenant.key).referrer("ann")).body;
  await refer(tenant, metacode, 1, "android");
  await endCampaign(tenant.ctx, tenant.campaignId);
  const next = await copyCampaign(tenant);
  const { appId, campaignId, platform } = campaignPlatforms;
  await tenant.ctx.db.orm
    .delete(campaignPlatforms)
    .where(and(eq(appId, tenant.ctx.app.id), eq(campaignId, next), eq(platform, "android")));
  expect(await getReferrer(tenant.ctx, referrerId)).toMatchObject({
    inCampaign: ["ios"],
    platforms: ["ios", "android"],
  });
});

test("an influencer's clicks of 90 days are counted, those that became referrals as well", async () => {
  const tenant = await makeTenant({ campaign: { type: "influencer" } });
  const { ctx, campaignId } = tenant;
  const { id: referrerId } = await createInfluencer(ctx, { campaignId, metacode: "clicked1" });
  const uids = await refer(tenant, "clicked1", 3);
  for (const [index, days] of [100, 80].entries()) {
    const ofReferee = and(eq(referrals.appId, ctx.app.id), eq(referrals.refereeUid, uids[index] ?? ""));
    const clickedAt = sql`now() - make_interval(days => ${days})`;
    await ctx.db.orm.update(referrals).set({ clickedAt }).where(ofReferee);
  }
  await ctx.db.orm
    .insert(clicks)
    .values({ appId: ctx.app.id, id: uuidv7(), referrerId, visitor: Buffer.from("a") });
  const { data } = await listInfluencers(ctx, campaignId, {});
  expect(data).toMatchObject([{ clicked: 2, assigned: 3, confirmed: 3 }]);
});

test("influencers with and without an app's uid are both recorded in the audit log", async () => {
  const { ctx, id, campaignId } = await withInfluencer("labelled1");
  const known = await createInfluencer(ctx, { campaignId, metacode: "labelled2", uid: "user-42" });
  for (const referrerId of [id, known.id]) {
    const [entry] = (await auditOfSubject(ctx, referrerId)).data;
    expect(auditLabel(entry?.action ?? "")).toBe("Influencer created");
  }
});

test("every change of an influencer is a line of the audit log with before and after", async () => {
  const { ctx, id } = await withInfluencer("audited1");
  const profile = { name: "Anna", handle: "@anna", notes: "Pays late" };
  await updateInfluencer(ctx, { referrerId: id, metacode: "audited1", ...profile });
  await updateMetacode(ctx, id, "audited2");
  await updateMetacode(ctx, id, "audited2");
  await updateReferrerStatus(ctx, id, "paused");
  await updateReferrerStatus(ctx, id, "active");
  await updateReferrerStatus(ctx, id, "ended");
  const entries = await ctx.db.orm
    .select()
    .from(auditLog)
    .where(and(eq(auditLog.workspaceId, ctx.workspace.id), eq(auditLog.subjectId, id)))
    .orderBy(asc(auditLog.id));
  expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
    ["referrer.created", null, expect.objectContaining({ metacode: "audited1", handle: "@anna" })],
    ["referrer.described", { notes: "Met at the\nfair" }, { notes: "Pays late" }],
    ["referrer.metacode_changed", { metacode: "audited1" }, { metacode: "audited2" }],
    ["referrer.paused", { status: "active" }, { status: "paused" }],
    ["referrer.resumed", { status: "paused" }, { status: "active" }],
    ["referrer.ended", { status: "active" }, { status: "ended" }],
  ]);
  expect(new Set(entries.map(({ subjectName }) => subjectName))).toEqual(new Set(["Anna"]));
});

test("only influencers of the app are described here", async () => {
  const { ctx, key, id } = await withInfluencer("foreign1");
  const { referrer_id: referrerId } = (await clientOf(key).referrer("bob")).body;
  await expect(
    updateInfluencer(ctx, { referrerId, metacode: "foreign2", name: "Bob" }),
  ).rejects.toMatchObject({ code: "CONFLICT" });
  const other = await makeTenant();
  await expect(updateInfluencer(other.ctx, { referrerId: id, metacode: "foreign2" })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("a form that was opened before the metacode changed does not set it back", async () => {
  const { ctx, id: referrerId } = await withInfluencer("opened1");
  const opened = { metacode: "opened1", name: "Anna", handle: "@anna", notes: "Met at the\nfair" };
  const form = { ...ctx, seen: JSON.stringify(opened) };
  await updateMetacode(form, referrerId, "opened2");
  for (const save of [
    () => updateInfluencer(form, { ...opened, referrerId, handle: "@annie" }),
    () => updateMetacode(form, referrerId, "opened1"),
  ]) {
    const refused = (await save().catch((error: unknown) => error)) as AppError;
    expect(refused).toMatchObject({ code: "CONFLICT" });
    const changes = [{ field: "metacode", before: "opened2", after: "opened1" }];
    expect(conflictOf(refused)?.changes).toEqual(changes);
  }
  const reopened = { ...ctx, seen: JSON.stringify({ ...opened, metacode: "opened2" }) };
  await updateInfluencer(reopened, { ...opened, referrerId, metacode: "opened2", handle: "@annie" });
});

test("a proposed metacode is free, taken, reserved, malformed or the referrer's own", async () => {
  const anna = await withInfluencer("wished1");
  const other = await makeTenant();
  const state = async (text: string, ctx = anna.ctx, id?: string) =>
    (await metacodeState(ctx, text, id)).state;
  expect(await metacodeState(anna.ctx, " Free-One ")).toEqual({ metacode: "freeone", state: "free" });
  expect(await state("Wished1")).toBe("taken");
  expect(await state("wished1", anna.ctx, anna.id)).toBe("yours");
  expect(await state("wished1", other.ctx, anna.id)).toBe("taken");
  expect(await state("Test123")).toBe("reserved");
  for (const text of ["abc", "a b c", "naïve1", "x".repeat(33)]) expect(await state(text)).toBe("malformed");
  await updateMetacode(anna.ctx, anna.id, "wished2");
  expect(await state("wished1", anna.ctx, anna.id)).toBe("yours");
});

test("a member who tries very many metacodes learns no more, neither in a form nor by taking them", async () => {
  const { metacode } = (await clientOf((await makeTenant()).key).referrer("ann")).body;
  const { ctx, id: referrerId } = await withInfluencer("guesser1");
  const userAt = (id: string, address: string): Context => ({
    ...ctx,
    actor: { kind: "user", id, name: "Eve", address },
  });
  const id = uuidv7();
  const member = userAt(id, "2001:db8:7::1");
  await updateMetacode(member, referrerId, "guesser2");
  for (let n = 1; n < CHECKS_PER_DAY; n++) await metacodeState(member, `free${n}`);
  for (const user of [member, userAt(uuidv7(), "2001:db8:7::2"), userAt(id, "192.0.2.77")])
    for (const tried of [metacode, "free0000"]) {
      const same = { code: "RATE_LIMITED" };
      await expect(metacodeState(user, tried)).rejects.toMatchObject(same);
      await expect(updateMetacode(user, referrerId, tried)).rejects.toMatchObject(same);
    }
  expect((await metacodeState(userAt(uuidv7(), "192.0.2.78"), metacode)).state).toBe("taken");
  // A metacode that the referrer has costs no look-up.
  await updateInfluencer(member, { referrerId, metacode: "guesser2", name: "Eve" });
});

test("a referrer's chosen metacodes are not used up by tries of another app", async () => {
  const { ctx, id } = await withInfluencer("mineonly1");
  const stranger = (await makeTenant()).ctx;
  for (let n = 1; n <= CHOSEN_PER_DAY; n++)
    await expect(updateMetacode(stranger, id, `stranger${n}`)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await updateMetacode(ctx, id, "mineonly2")).toEqual({ metacode: "mineonly2" });
});
