import { and, asc, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { createCampaign } from "@/lib/campaigns/create";
import { auditLog, referrers } from "@/lib/db/schema";
import { clientOf } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { createInfluencer } from "./create-influencer";
import { editInfluencer } from "./edit-influencer";
import { metacodeState } from "./metacode-state";
import { setMetacode } from "./set-metacode";
import { setReferrerStatus } from "./set-status";

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
    ...{ campaignId, metacode, name: "Anna", handle: "@anna", notes: "Met at the\nfair" },
    metadata: { avatar: "https://example.com/a.png" },
  });
  const read = async () => {
    const one = and(eq(referrers.appId, tenant.ctx.app.id), eq(referrers.id, made.id));
    return (await tenant.ctx.db.orm.select().from(referrers).where(one))[0];
  };
  return { ...tenant, ...made, read };
}

test("a profile is kept beside other metadata, and emptied fields go", async () => {
  const { ctx, id, read } = await withInfluencer("profile1");
  const avatar = "https://example.com/a.png";
  expect(await read()).toMatchObject({
    metadata: { avatar, name: "Anna", handle: "@anna" },
    notes: "Met at the\nfair",
  });
  await editInfluencer(ctx, { referrerId: id, name: "Anna B." });
  expect(await read()).toMatchObject({ metadata: { avatar, name: "Anna B." }, notes: null });
  expect((await read())?.metadata).not.toHaveProperty("handle");
});

test("every change of an influencer is a line of the audit log with before and after", async () => {
  const { ctx, id } = await withInfluencer("audited1");
  await editInfluencer(ctx, { referrerId: id, name: "Anna", handle: "@anna", notes: "Pays late" });
  await setMetacode(ctx, id, "audited2");
  await setMetacode(ctx, id, "audited2");
  await setReferrerStatus(ctx, id, "paused");
  await setReferrerStatus(ctx, id, "active");
  await setReferrerStatus(ctx, id, "ended");
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
  await expect(editInfluencer(ctx, { referrerId, name: "Bob" })).rejects.toMatchObject({ code: "CONFLICT" });
  const other = await makeTenant();
  await expect(editInfluencer(other.ctx, { referrerId: id })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("a wished metacode is free, one's own, taken, reserved or none at all", async () => {
  const one = await withInfluencer("wished1");
  const other = await makeTenant();
  const state = async (text: string, ctx = one.ctx, id?: string) =>
    (await metacodeState(ctx, text, id)).state;
  expect(await metacodeState(one.ctx, " Free-One ")).toEqual({ metacode: "freeone", state: "free" });
  expect(await state("Wished1")).toBe("taken");
  expect(await state("wished1", one.ctx, one.id)).toBe("yours");
  expect(await state("wished1", other.ctx, one.id)).toBe("taken");
  expect(await state("Test123")).toBe("reserved");
  for (const text of ["abc", "a b c", "naïve1", "x".repeat(33)]) expect(await state(text)).toBe("malformed");
  await setMetacode(one.ctx, one.id, "wished2");
  expect(await state("wished1", one.ctx, one.id)).toBe("yours");
});
