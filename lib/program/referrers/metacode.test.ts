import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { referrers, slugDirectory } from "@/lib/platform/db/schema";
import { createCampaign } from "@/lib/program/campaigns/create";
import { activateCampaign } from "@/lib/program/campaigns/lifecycle";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { createInfluencer } from "./create-influencer";
import { CHOSEN_PER_DAY, updateMetacode } from "./metacode";
import { updateReferrerStatus } from "./update";

useService();

async function withReferrer() {
  const tenant = await makeTenant();
  const client = clientOf(tenant.key);
  const { referrer_id: id, metacode } = (await client.referrer("anna")).body;
  return { ...tenant, client, id, metacode };
}

test("a chosen metacode works at once in any letter case, the old one keeps working, and no other referrer can have it", async () => {
  const mine = await withReferrer();
  const other = await withReferrer();
  expect(await updateMetacode(mine.ctx, mine.id, " Anna-Runs ")).toEqual({ metacode: "annaruns" });
  expect((await mine.client.redeem("tom", mine.metacode)).status).toBe(200);
  expect((await mine.client.redeem("bob", "ANNARUNS")).status).toBe(200);
  await expect(updateMetacode(other.ctx, other.id, mine.metacode)).rejects.toMatchObject({
    code: "CONFLICT",
  });
  await expect(updateMetacode(other.ctx, other.id, "annaruns")).rejects.toMatchObject({ code: "CONFLICT" });
  await updateMetacode(mine.ctx, mine.id, mine.metacode);
  expect((await mine.client.redeem("eve", mine.metacode)).status).toBe(200);
});

test("of eight referrers of different apps that request one metacode at once, one gets it", async () => {
  const all = await Promise.all(Array.from({ length: 8 }, withReferrer));
  const results = await Promise.allSettled(all.map(({ ctx, id }) => updateMetacode(ctx, id, "champion")));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const owners = await database().orm.select().from(referrers).where(eq(referrers.slug, "champion"));
  const reserved = await database()
    .orm.select()
    .from(slugDirectory)
    .where(eq(slugDirectory.slug, "champion"));
  expect(owners.map(({ id }) => id)).toEqual(reserved.map(({ referrerId }) => referrerId));
  expect(owners).toHaveLength(1);
});

test.each(["abc", "a".repeat(33), "with_underscore", "émile", "test123", "TEST-ENDED", "admin"])(
  "refuses the metacode %s",
  async (metacode) => {
    const { ctx, id } = await withReferrer();
    await expect(updateMetacode(ctx, id, metacode)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      field: "metacode",
    });
  },
);

test("another app's referrer is unknown, and the wish reserves nothing", async () => {
  const [mine, other] = await Promise.all([withReferrer(), withReferrer()]);
  await expect(updateMetacode(mine.ctx, other.id, "stolen")).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(updateReferrerStatus(mine.ctx, other.id, "ended")).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
  expect(await database().orm.select().from(slugDirectory).where(eq(slugDirectory.slug, "stolen"))).toEqual(
    [],
  );
});

test("a referrer gets ten new metacodes a day, and may go back to any of them", async () => {
  const [mine, other] = await Promise.all([withReferrer(), withReferrer()]);
  for (let n = 0; n < CHOSEN_PER_DAY; n++) await updateMetacode(mine.ctx, mine.id, `reserved${n}`);
  const more = updateMetacode(mine.ctx, mine.id, "reserved-all");
  await expect(more).rejects.toMatchObject({ code: "RATE_LIMITED" });
  expect(await updateMetacode(mine.ctx, mine.id, "reserved0")).toEqual({ metacode: "reserved0" });
  expect(await updateMetacode(other.ctx, other.id, "reserved-all")).toEqual({ metacode: "reservedall" });
});

test("a paused referrer's metacode is unknown until resumed, an ended one's forever", async () => {
  const { ctx, client, id, metacode } = await withReferrer();
  await updateReferrerStatus(ctx, id, "paused");
  expect((await client.redeem("bob", metacode)).status).toBe(404);
  await updateReferrerStatus(ctx, id, "active");
  expect((await client.redeem("bob", metacode)).status).toBe(200);
  await expect(updateReferrerStatus(ctx, id, "active")).rejects.toMatchObject({ code: "CONFLICT" });
  await updateReferrerStatus(ctx, id, "ended");
  for (const status of ["active", "paused", "ended"] as const) {
    await expect(updateReferrerStatus(ctx, id, status)).rejects.toMatchObject({ code: "CONFLICT" });
  }
  await expect(updateMetacode(ctx, id, "comeback")).rejects.toMatchObject({ code: "NOT_FOUND" });
});

async function influencerCampaign({ ctx, pools }: Tenant): Promise<string> {
  const platforms = { ios: { threshold: 1, refereePoolId: pools.ios.referee } };
  const { id } = await createCampaign(ctx, { type: "influencer", name: "Stars", platforms });
  await activateCampaign(ctx, id);
  return id;
}

test("an influencer's metacode assigns codes of the influencer's campaign", async () => {
  const tenant = await makeTenant({ campaign: { status: "paused" } });
  const campaignId = await influencerCampaign(tenant);
  const made = await createInfluencer(tenant.ctx, {
    campaignId,
    metacode: "Star-Anna",
    metadata: { name: "Anna" },
  });
  expect(made).toEqual({ id: made.id, uid: `influencer:${made.id}`, metacode: "staranna" });
  const answer = await clientOf(tenant.key).redeem("fan", "staranna");
  expect(answer.status).toBe(200);
  expect(answer.body.referrer_info.message).toContain("Anna");
});

test("an influencer needs a campaign of that kind, a free metacode and a free uid", async () => {
  const tenant = await makeTenant();
  const other = await makeTenant();
  const campaignId = await influencerCampaign(tenant);
  const make = (ctx: Context, input: { campaignId: string; metacode: string; uid?: string }) =>
    createInfluencer(ctx, input);
  await make(tenant.ctx, { campaignId, metacode: "only1", uid: "anna" });
  const refusals = [
    [tenant.ctx, { campaignId, metacode: "only1" }, "CONFLICT"],
    [tenant.ctx, { campaignId, metacode: "only2", uid: "anna" }, "CONFLICT"],
    [tenant.ctx, { campaignId: tenant.campaignId, metacode: "only3" }, "VALIDATION_ERROR"],
    [other.ctx, { campaignId, metacode: "only4" }, "NOT_FOUND"],
  ] as const;
  for (const [ctx, input, code] of refusals) await expect(make(ctx, input)).rejects.toMatchObject({ code });
  const reserved = await database().orm.select({ slug: slugDirectory.slug }).from(slugDirectory);
  expect(reserved.map(({ slug }) => slug).filter((slug) => slug.startsWith("only"))).toEqual(["only1"]);
});
