import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, onTestFinished, test } from "vitest";
import { detect } from "@/lib/outward/problems/detect";
import { openDatabase } from "@/lib/platform/db/client";
import {
  alertChannels,
  apps,
  codes,
  providerConnections,
  rounds,
  slugDirectory,
  weeklyEmails,
} from "@/lib/platform/db/schema";
import { listCampaigns } from "@/lib/program/campaigns/read";
import { addSampleCodes, randomCodeFile, SAMPLE_CODES } from "@/lib/program/codes/sample-codes";
import { simulateConfirmation } from "@/lib/program/confirmations/simulate";
import { createConnection } from "@/lib/program/connections/create";
import { updateMetacode } from "@/lib/program/referrers/metacode";
import { createTwin } from "@/lib/program/sandbox/create-twin";
import { resetSandbox } from "@/lib/program/sandbox/reset";
import { stockOf } from "@/lib/program/stats/stock";
import { appRef } from "@/lib/tenants/apps/app";
import type { Context } from "@/lib/tenants/context";
import { clientOf } from "@/lib/testing/client";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeKey, makeTenant, type Tenant } from "@/lib/testing/tenant";

useService();

test("no sample code consists of letters alone, which an import could take for a heading", async () => {
  for await (const lines of randomCodeFile("ios", 20_000))
    for (const code of lines.trim().split("\n")) expect(code).toMatch(/^[2-9][A-Z2-9]{17}$/);
});

async function inApp(ctx: Context, id: string): Promise<Context> {
  const [app] = await ctx.db.orm.select().from(apps).where(eq(apps.id, id));
  if (!app) throw new Error("no such app");
  return { ...ctx, app: appRef(app) };
}

const storedCodes = ({ db, app }: Context) => db.orm.select().from(codes).where(eq(codes.appId, app.id));

describe("the sandbox twin of an app", () => {
  test("has the app's rules, its own codes, and works at once", async () => {
    const tenant = await makeTenant({ threshold: 2, app: { referrerDailyCap: 1 } });
    const twin = await inApp(tenant.ctx, (await createTwin(tenant.ctx)).id);
    expect(twin.app.sandbox).toBe(true);
    expect(await listCampaigns(twin)).toMatchObject([{ name: "Launch", status: "active" }]);
    expect((await storedCodes(twin)).length).toBe(4 * SAMPLE_CODES);
    const key = await makeKey({ ...tenant, ctx: twin } as Tenant, [
      "referrer:read",
      "referrer:write",
      "referee:redeem",
    ]);
    const api = clientOf(key);
    const { metacode, progress } = (await api.referrer("ann")).body;
    expect(progress.ios.threshold).toBe(2);
    // The live app's cap does not apply: the codes of a sandbox are worth nothing.
    for (const uid of ["bob", "cid"]) expect((await api.redeem(uid, metacode)).status).toBe(200);
  });

  test("is created once, also by two calls at the same time, and refers to its live app", async () => {
    const { ctx } = await makeTenant();
    const results = await Promise.allSettled([createTwin(ctx), createTwin(ctx)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const db = openDatabase({ url: process.env.DATABASE_URL ?? "", size: 1 });
    onTestFinished(() => db.close());
    await expect(createTwin({ ...ctx, db })).rejects.toMatchObject({ code: "CONFLICT" });
    const [live] = await ctx.db.orm.select().from(apps).where(eq(apps.id, ctx.app.id));
    const [twin] = await ctx.db.orm
      .select()
      .from(apps)
      .where(eq(apps.id, live?.twinId ?? ""));
    expect(twin).toMatchObject({ sandbox: true, twinId: ctx.app.id });
    const codesOfLive = (await storedCodes(ctx)).length;
    expect(codesOfLive).toBe(40);
  });

  test("has the app's name without half an emoji where the name is cut", async () => {
    const { ctx } = await makeTenant();
    const name = `${"a".repeat(69)}🎉b`;
    await ctx.db.orm.update(apps).set({ name }).where(eq(apps.id, ctx.app.id));
    const twin = await inApp(ctx, (await createTwin(ctx)).id);
    expect(twin.app.name).toBe(`${"a".repeat(69)}🎉 sandbox`);
  });

  test("has no campaign that is past its end, although no round has ended it yet", async () => {
    const { ctx } = await makeTenant({ campaign: { endsAt: new Date(Date.now() - 1_000) } });
    expect(await listCampaigns(ctx)).toMatchObject([{ status: "active" }]);
    expect(await listCampaigns(await inApp(ctx, (await createTwin(ctx)).id))).toEqual([]);
  });

  test("a sandbox has no twin", async () => {
    const { ctx } = await makeTenant({ sandbox: true });
    await expect(createTwin(ctx)).rejects.toMatchObject({ code: "CONFLICT" });
  });
});

describe("a reset", () => {
  test("deletes activity, keeps the setup, and fills every pool again", async () => {
    const { tenant, api, metacode } = await referringTenant({ sandbox: true });
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
    expect((await storedCodes(ctx)).filter(({ status }) => status === "available")).toHaveLength(
      4 * SAMPLE_CODES,
    );
    const again = (await api.referrer("ann")).body.metacode;
    expect((await api.redeem("bob", again)).status).toBe(200);
  });

  test("frees the metacodes of its referrers for every app, their former ones as well", async () => {
    const [mine, other] = [await referringTenant({ sandbox: true }), await referringTenant()];
    const [ann, bob] = [await mine.api.referrer("ann"), await other.api.referrer("ann")];
    for (const metacode of ["freedone", "freedtwo"])
      await updateMetacode(mine.tenant.ctx, ann.body.referrer_id, metacode);
    await resetSandbox(mine.tenant.ctx);
    for (const metacode of [ann.body.metacode, "freedone", "freedtwo"])
      await updateMetacode(other.tenant.ctx, bob.body.referrer_id, metacode);
  });

  test("keeps the metacode of a referrer that is being created, also one that an earlier referrer had", async () => {
    const { tenant, api } = await referringTenant({ sandbox: true });
    const { ctx } = tenant;
    const ann = (await api.referrer("ann")).body;
    await updateMetacode(ctx, ann.referrer_id, "annsfirst");
    await resetSandbox(ctx);
    const creating = [ann.metacode, "creating"].map((slug) => ({
      slug,
      appId: ctx.app.id,
      referrerId: uuidv7(),
    }));
    await ctx.db.orm.insert(slugDirectory).values(creating);
    await resetSandbox(ctx);
    expect((await rowsOfApp(ctx.app.id)).slug_directory).toHaveLength(2);
  });

  test("forgets an old refusal of a provider's delivery along with the events that were accepted after it", async () => {
    const { ctx } = await makeTenant({ sandbox: true, codes: 60 });
    const { id } = await createConnection(ctx, { provider: "revenuecat" });
    const refusedAt = new Date(Date.now() - 60_000);
    await ctx.db.orm.update(providerConnections).set({ refusedAt }).where(eq(providerConnections.id, id));
    const found = async () => (await detect(ctx)).map(({ kind }) => kind);
    expect(await found()).toEqual(["provider_refused"]);
    await resetSandbox(ctx);
    expect(await found()).toEqual([]);
  });

  test("keeps the alert channels, and the weekly emails that members have switched on", async () => {
    const { ctx } = await makeTenant({ sandbox: true });
    const own = { appId: ctx.app.id, id: uuidv7() };
    await ctx.db.orm.insert(alertChannels).values({ ...own, type: "mail", name: "", target: "-", kinds: [] });
    const weekly = { userId: uuidv7(), token: uuidv7(), sentWeek: "2026-01-05" };
    await ctx.db.orm.insert(weeklyEmails).values({ ...own, ...weekly });
    await ctx.db.orm.insert(rounds).values({ ...own, name: "weekly email", dueAt: new Date() });
    const stored = async () => {
      const { alert_channels, weekly_emails, rounds: due } = await rowsOfApp(ctx.app.id);
      return { alert_channels, weekly_emails, due };
    };
    const before = await stored();
    await resetSandbox(ctx);
    expect(await stored()).toEqual(before);
  });

  test("is refused in a live app, whose rows stay", async () => {
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
    const { tenant, api, metacode } = await referringTenant({ sandbox: true });
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
    const { tenant, api, metacode } = await referringTenant();
    await api.redeem("bob", metacode);
    await expect(
      simulateConfirmation(tenant.ctx, { refereeUid: "bob", kind: "confirm" }),
    ).rejects.toMatchObject({ code: "CONFLICT" });
    expect((await api.referrer("ann")).body.stats.referrals_count).toBe(0);
  });
});

test("sample codes fill a sandbox's pools for one use in each of its stores, and never a live app", async () => {
  const sandbox = await makeTenant({ sandbox: true, codes: 0, app: { androidPackage: null } });
  const free = async (poolId: string) => (await stockOf(sandbox.ctx)).find(({ id }) => id === poolId)?.free;
  await addSampleCodes(sandbox.ctx, "reward");
  const { ios, android } = sandbox.pools;
  expect([await free(ios.reward), await free(ios.referee), await free(android.reward)]).toEqual([
    SAMPLE_CODES,
    0,
    0,
  ]);
  const live = await makeTenant({ codes: 0 });
  await expect(addSampleCodes(live.ctx, "reward")).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await storedCodes(live.ctx)).toEqual([]);
});
