import { eq } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { createTwin, TEST_CODES } from "@/lib/apps/create-twin";
import { appRef } from "@/lib/apps/ref";
import { resetSandbox } from "@/lib/apps/reset-sandbox";
import { listCampaigns } from "@/lib/campaigns/list";
import { simulateConfirmation } from "@/lib/confirmations/simulate";
import type { Context } from "@/lib/context";
import { apps, codes } from "@/lib/db/schema";
import { clientOf } from "@/lib/testing/client";
import { rowsOfApp } from "@/lib/testing/rows";
import { running } from "@/lib/testing/running";
import { useService } from "@/lib/testing/service";
import { makeKey, makeTenant, type Tenant } from "@/lib/testing/tenant";

useService();

async function inApp(ctx: Context, id: string): Promise<Context> {
  const [app] = await ctx.db.orm.select().from(apps).where(eq(apps.id, id));
  if (!app) throw new Error("no such app");
  return { ...ctx, app: appRef(app) };
}

const codesOf = ({ db, app }: Context) => db.orm.select().from(codes).where(eq(codes.appId, app.id));

describe("the sandbox twin of an app", () => {
  test("has the app's rules, codes of its own, and works at once", async () => {
    const tenant = await makeTenant({ threshold: 2, app: { referrerDailyCap: 9 } });
    const twin = await inApp(tenant.ctx, (await createTwin(tenant.ctx)).id);
    expect(twin.app.sandbox).toBe(true);
    expect(await listCampaigns(twin)).toMatchObject([{ name: "Launch", status: "active" }]);
    expect((await codesOf(twin)).length).toBe(4 * TEST_CODES);
    const key = await makeKey({ ...tenant, ctx: twin } as Tenant, [
      "referrer:read",
      "referrer:write",
      "referee:redeem",
    ]);
    const api = clientOf(key);
    const { metacode, progress } = (await api.referrer("ann")).body;
    expect(progress.ios.threshold).toBe(2);
    expect((await api.redeem("bob", metacode)).status).toBe(200);
  });

  test("is made once, also by two at the same time, and knows its live app", async () => {
    const { ctx } = await makeTenant();
    const made = await Promise.allSettled([createTwin(ctx), createTwin(ctx)]);
    expect(made.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const [live] = await ctx.db.orm.select().from(apps).where(eq(apps.id, ctx.app.id));
    const [twin] = await ctx.db.orm
      .select()
      .from(apps)
      .where(eq(apps.id, live?.twinId ?? ""));
    expect(twin).toMatchObject({ sandbox: true, twinId: ctx.app.id });
    const codesOfLive = (await codesOf(ctx)).length;
    expect(codesOfLive).toBe(40);
  });

  test("a sandbox has none", async () => {
    const { ctx } = await makeTenant({ sandbox: true });
    await expect(createTwin(ctx)).rejects.toMatchObject({ code: "CONFLICT" });
  });
});

describe("a reset", () => {
  test("takes what people did, keeps what was set up, and every pool is full again", async () => {
    const { tenant, api, metacode } = await running({ sandbox: true });
    const { ctx } = tenant;
    await api.redeem("bob", metacode);
    await simulateConfirmation(ctx, { refereeUid: "bob", kind: "confirm" });
    await resetSandbox(ctx);
    const rows = await rowsOfApp(ctx.app.id);
    const filled = Object.keys(rows).filter((table) => (rows[table]?.length ?? 0) > 0);
    expect(filled.sort()).toEqual(
      expect.arrayContaining([
        "api_keys",
        "apps",
        "batches",
        "campaign_platforms",
        "campaigns",
        "codes",
        "pools",
      ]),
    );
    expect(filled).not.toEqual(expect.arrayContaining(["referrers"]));
    for (const table of ["referrals", "rewards", "referrer_progress", "provider_events", "slug_directory"]) {
      expect(rows[table], table).toEqual([]);
    }
    expect((await codesOf(ctx)).filter(({ status }) => status === "available")).toHaveLength(4 * TEST_CODES);
    const again = (await api.referrer("ann")).body.metacode;
    expect((await api.redeem("bob", again)).status).toBe(200);
  });

  test("is refused in a live app, and nothing is lost there", async () => {
    const { ctx } = await makeTenant();
    const before = await rowsOfApp(ctx.app.id);
    await expect(resetSandbox(ctx)).rejects.toMatchObject({ code: "CONFLICT" });
    expect(await rowsOfApp(ctx.app.id)).toEqual(before);
  });

  test("leaves every other app alone", async () => {
    const [mine, other] = [await makeTenant({ sandbox: true }), await makeTenant()];
    const before = await rowsOfApp(other.ctx.app.id);
    await resetSandbox(mine.ctx);
    expect(await rowsOfApp(other.ctx.app.id)).toEqual(before);
  });
});

describe("a simulated purchase", () => {
  test("confirms, a simulated refund takes it back", async () => {
    const { tenant, api, metacode } = await running({ sandbox: true });
    await api.redeem("bob", metacode);
    const { ctx } = tenant;
    expect(await simulateConfirmation(ctx, { refereeUid: "bob", kind: "confirm" })).toMatchObject({
      status: "confirmed",
      matched: true,
    });
    expect((await api.referrer("ann")).body.stats.referrals_count).toBe(1);
    expect((await simulateConfirmation(ctx, { refereeUid: "bob", kind: "reverse" })).status).toBe("reversed");
    expect((await api.referrer("ann")).body.stats.referrals_count).toBe(0);
  });

  test("is refused in a live app", async () => {
    const { tenant, api, metacode } = await running();
    await api.redeem("bob", metacode);
    await expect(
      simulateConfirmation(tenant.ctx, { refereeUid: "bob", kind: "confirm" }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await api.referrer("ann")).body.stats.referrals_count).toBe(0);
  });
});
