import { and, eq, sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { auditLog, campaigns } from "@/lib/platform/db/schema";
import { activateCampaign, endCampaign, endDueCampaigns } from "@/lib/program/campaigns/lifecycle";
import { getCampaign } from "@/lib/program/campaigns/read";
import { rulesOf } from "@/lib/program/campaigns/rules";
import type { Context } from "@/lib/tenants/context";
import { copyCampaign, updateCampaign } from "@/lib/testing/campaigns";
import { blockedBackends } from "@/lib/testing/database/locks";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

const HOUR = 3_600_000;

async function ended(ctx: Context) {
  const mine = eq(campaigns.appId, ctx.app.id);
  const [campaign] = await ctx.db.orm.select({ status: campaigns.status }).from(campaigns).where(mine);
  const { rows } = await ctx.db.orm.execute<{ payload: unknown }>(
    sql`select payload from outbox where app_id = ${ctx.app.id} and type = 'campaign.ended'`,
  );
  const log = await ctx.db.orm
    .select({ by: auditLog.actorKind })
    .from(auditLog)
    .where(and(eq(auditLog.workspaceId, ctx.workspace.id), eq(auditLog.action, "campaign.ended")));
  return { status: campaign?.status, events: rows.length, log };
}

test.each(["active", "paused"] as const)("%s, it ends once when its end has passed", async (status) => {
  const { ctx } = await makeTenant({ campaign: { status, endsAt: new Date(Date.now() - 1_000) } });
  await Promise.all(Array.from({ length: 6 }, () => endDueCampaigns(ctx)));
  await endDueCampaigns(ctx);
  expect(await ended(ctx)).toEqual({ status: "ended", events: 1, log: [{ by: "system" }] });
});

test.each([
  ["before its end", { endsAt: new Date(Date.now() + HOUR) }, "active"],
  ["without an end", { endsAt: null }, "active"],
  ["a draft", { status: "draft", endsAt: new Date(0) }, "draft"],
  ["ended by hand", { status: "ended", endsAt: new Date(0) }, "ended"],
] as const)("%s, it is left alone", async (_, campaign, status) => {
  const { ctx } = await makeTenant({ campaign });
  await endDueCampaigns(ctx);
  expect(await ended(ctx)).toEqual({ status, events: 0, log: [] });
});

test.each(["draft", "active", "paused"] as const)(
  "a campaign that is %s can be ended before its start",
  async (status) => {
    const startsAt = new Date(Date.now() + HOUR);
    const { ctx, campaignId } = await makeTenant({ campaign: { status, startsAt } });
    // As on a machine whose clock is ahead of the database's.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 2 * HOUR });
    onTestFinished(() => void vi.useRealTimers());
    await endCampaign(ctx, campaignId);
    expect(await ended(ctx)).toMatchObject({ status: "ended", events: 1 });
    expect(await getCampaign(ctx, campaignId)).toMatchObject({ startsAt, endsAt: null });
  },
);

test("another app's campaigns are not touched", async () => {
  const endsAt = new Date(Date.now() - 1_000);
  const [mine, other] = [
    await makeTenant({ campaign: { endsAt } }),
    await makeTenant({ campaign: { endsAt } }),
  ];
  await endDueCampaigns(mine.ctx);
  expect((await ended(other.ctx)).status).toBe("active");
});

test("a campaign that replaces another does not block an upload of codes, nor is it blocked", async () => {
  const tenant = await makeTenant({ campaign: { codeBudget: 20 } });
  const { ctx, campaignId } = tenant;
  const newer = await copyCampaign(tenant, { name: "Newer", codeBudget: 5, status: "draft" });
  const upload = await database().pool.connect();
  await upload.query("begin");
  const older = "select 1 from campaigns where app_id = $1 and id = $2 for update";
  await upload.query(older, [ctx.app.id, campaignId]);
  const activating = activateCampaign(ctx, newer, campaignId);
  await blockedBackends();
  await upload.query("select lock_budgets($1)", [ctx.app.id]);
  await upload.query("commit");
  upload.release();
  await activating;
  const [row] = await ctx.db.orm.select().from(campaigns).where(eq(campaigns.id, campaignId));
  expect(row?.status).toBe("paused");
});

test("a campaign whose end has passed does not become active, and pauses no other one for it", async () => {
  const tenant = await makeTenant();
  const { ctx, campaignId } = tenant;
  const draft = await copyCampaign(tenant, { status: "draft", endsAt: new Date(Date.now() - HOUR) });
  await expect(activateCampaign(ctx, draft, campaignId)).rejects.toMatchObject({
    code: "CONFLICT",
    message: expect.stringContaining("has passed"),
  });
  const rows = await ctx.db.orm.select().from(campaigns).where(eq(campaigns.appId, ctx.app.id));
  expect(rows.map(({ id, status }) => [id === draft, status]).sort()).toEqual([
    [false, "active"],
    [true, "draft"],
  ]);
});

test("an end in the past is refused for a campaign that runs, and accepted for a draft", async () => {
  const tenant = await makeTenant();
  const { ctx, campaignId } = tenant;
  const endsAt = new Date(Date.now() - HOUR);
  const rules = rulesOf(await getCampaign(ctx, campaignId));
  await expect(updateCampaign(ctx, campaignId, { ...rules, endsAt })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
    field: "endsAt",
  });
  const draft = await copyCampaign(tenant, { status: "draft" });
  await updateCampaign(ctx, draft, { ...rulesOf(await getCampaign(ctx, draft)), endsAt });
  expect((await getCampaign(ctx, draft)).endsAt).toEqual(endsAt);
  // An end date that was stored before this rule blocks no other change.
  await ctx.db.orm.update(campaigns).set({ endsAt }).where(eq(campaigns.id, campaignId));
  await updateCampaign(ctx, campaignId, { ...rules, endsAt, holdDays: 3 });
  expect((await getCampaign(ctx, campaignId)).holdDays).toBe(3);
});
