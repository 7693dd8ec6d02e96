import { and, eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { ERROR_HELP } from "@/lib/contract/error-help";
import { requestFilters } from "@/lib/contract/request-line";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { listRequests } from "@/lib/outward/request-log/list";
import { database } from "@/lib/platform/db/client";
import { campaignPlatforms, campaigns, refereesInLine } from "@/lib/platform/db/schema";
import { createInfluencer } from "@/lib/program/referrers/create-influencer";
import { openPage } from "@/lib/testing/landing";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

test("a campaign on one platform links no other store, and a redeem there says so, as does the request log", async () => {
  const { tenant, metacode, api } = await referringTenant();
  const { appId, platform } = campaignPlatforms;
  await database()
    .orm.delete(campaignPlatforms)
    .where(and(eq(appId, tenant.ctx.app.id), eq(platform, "android")));
  const { html } = await openPage(metacode);
  expect(html).toContain("apps.apple.com");
  expect(html).not.toContain("play.google.com");
  const { status, headers, body } = await api.redeem("bob", metacode, "android");
  expect([status, body.error.code, headers.get("retry-after")]).toEqual([503, "NO_CODES_AVAILABLE", "86400"]);
  expect(body.error.message).toBe("This campaign has no codes for Android: it runs on iOS only");
  await flushRequests();
  const [logged] = (await listRequests(tenant.ctx, requestFilters.parse({ outcome: "failed" }))).data;
  expect(logged).toMatchObject({ id: body.error.request_id, message: body.error.message });
  expect(ERROR_HELP.NO_CODES_AVAILABLE?.why).toContain("names the platform, the campaign does not run there");
  expect(await database().orm.$count(refereesInLine, eq(refereesInLine.appId, tenant.ctx.app.id))).toBe(0);
});

test("the page of a campaign that has spent its budget for codes says that there are none", async () => {
  const { metacode, api } = await referringTenant({ campaign: { codeBudget: 1 } });
  const { status } = await api.redeem("bob", metacode);
  expect(status).toBe(200);
  expect((await openPage(metacode)).html).toContain("No promo codes are available at the moment");
});

test.each([
  ["status", { status: "ended" as const }],
  ["date", { endsAt: new Date(Date.now() - 3_600_000) }],
])(
  "an influencer's page has ended with the campaign, by its %s: no other campaign opens it",
  async (_, end) => {
    const { ctx, campaignId } = await makeTenant({ campaign: { type: "influencer" } });
    const { id } = await createInfluencer(ctx, { campaignId, metacode: `over${Object.keys(end)[0]}` });
    await database().orm.update(campaigns).set(end).where(eq(campaigns.id, campaignId));
    const page = await openPage(`over${Object.keys(end)[0]}`);
    expect([id.length, page.status, page.html]).toEqual([36, 410, expect.stringContaining("has ended")]);
  },
);
