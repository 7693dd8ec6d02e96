import { and, eq } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { POST as provider } from "@/app/api/providers/[provider]/[connectionId]/route";
import { POST as redeem } from "@/app/api/referee-redeem/route";
import { POST as referrer } from "@/app/api/referrer/route";
import { POST as claim } from "@/app/api/referrer-claim/route";
import { POST as click } from "@/app/r/[slug]/click/route";
import { GET as landing } from "@/app/r/[slug]/route";
import type { Platform } from "@/lib/contract/fields";
import { requestFilters } from "@/lib/contract/request-line";
import type { SimulatedJourney } from "@/lib/contract/simulator";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { listRequests } from "@/lib/outward/request-log/list";
import { apiKeys, campaignPlatforms, campaigns, codes } from "@/lib/platform/db/schema";
import { createConnection } from "@/lib/program/connections/create";
import { countInLine } from "@/lib/program/line/line";
import { resetSandbox } from "@/lib/program/sandbox/reset";
import { SIMULATOR_KEY_NAME } from "@/lib/tenants/api-keys/simulator-key";
import type { Context } from "@/lib/tenants/context";
import { rowsOfApp } from "@/lib/testing/database/rows";
import { useService } from "@/lib/testing/service";
import { asTeamMember, auditOf } from "@/lib/testing/support";
import { makeTenant, type TenantOptions } from "@/lib/testing/tenant";
import { deliverOpen, makeReceiver } from "@/lib/testing/webhooks/webhooks";
import type { JourneyHandlers } from "@/lib/web/simulator/exchange";
import { simulateJourney } from "@/lib/web/simulator/journey";

useService({ OUTBOUND_ALLOW: "127.0.0.0/8", APP_URL: "http://localhost:3000" });

const handlers = { referrer, redeem, claim, provider, click, landing } as JourneyHandlers;

async function sandbox(options: TenantOptions = {}) {
  const tenant = await makeTenant({ sandbox: true, threshold: 2, ...options });
  return { ...tenant, ctx: asTeamMember(tenant.ctx) };
}

function simulate(
  ctx: Context,
  platform: Platform = "ios",
  report: (journey: SimulatedJourney) => void = () => undefined,
  through = handlers,
) {
  const { signal } = new AbortController();
  return simulateJourney(ctx, { platform, handlers: through, signal, report });
}

/** A journey with the background work of this test: it sends what is open whenever the journey reports. */
async function simulateAndDeliver(ctx: Context): Promise<SimulatedJourney> {
  const work: Promise<unknown>[] = [];
  const journey = await simulate(ctx, "ios", ({ steps }) => {
    if (steps.at(-1)?.state === "running") work.push(deliverOpen(ctx));
  });
  await Promise.all(work);
  return journey;
}

/** The state of each step, and the cause of the one that failed. */
function outcomeOf({ steps }: SimulatedJourney) {
  const failed = steps.find(({ state }) => state === "failed");
  return {
    states: Object.fromEntries(steps.map(({ name, state }) => [name, state])),
    failed: failed?.name,
    why: failed?.cause?.why ?? "",
    section: failed?.cause?.section?.path,
  };
}

const assignedIn = async ({ db, app }: Context) =>
  db.orm
    .select()
    .from(codes)
    .where(and(eq(codes.appId, app.id), eq(codes.status, "assigned")));

describe("a journey", () => {
  test("goes through every step with real requests, and can be repeated", async () => {
    const { ctx } = await sandbox();
    await createConnection(ctx, { provider: "revenuecat" });
    const seen: string[] = [];
    const journey = await simulate(ctx, "ios", ({ steps }) => {
      const running = steps.find(({ state }) => state === "running");
      if (running && seen.at(-1) !== running.name) seen.push(running.name);
    });
    expect(journey.steps.map(({ state }) => state)).toEqual([...Array(6).fill("passed"), "skipped"]);
    expect(seen).toEqual(journey.steps.map(({ name }) => name));
    const requests = journey.steps.map(({ exchanges }) => exchanges.map(({ status }) => status));
    expect(requests).toEqual([[200], [200, 204], [200, 200], [200, 200], [200], [200], []]);
    await flushRequests();
    const [key] = await ctx.db.orm
      .select()
      .from(apiKeys)
      .where(and(eq(apiKeys.appId, ctx.app.id), eq(apiKeys.name, SIMULATOR_KEY_NAME)));
    const log = await listRequests(ctx, requestFilters.parse({ key: key?.id }));
    expect(log.data).toHaveLength(5);
    expect(key?.revokedAt).not.toBeNull();
    expect(await auditOf(ctx)).toMatchObject([
      { action: "connection.created" },
      { action: "app.journey_simulated", after: { platform: "ios", failed: null } },
    ]);
    expect(outcomeOf(await simulate(ctx, "android")).failed).toBeUndefined();
    expect(await ctx.db.orm.$count(apiKeys, eq(apiKeys.appId, ctx.app.id))).toBe(2);
  });

  const own = ["revenuecat", "adapty", "qonversion", "apphud", "iaphub", "generic"] as const;
  test.each(own)("shows no key and no secret of %s", async (provider) => {
    const { ctx } = await sandbox();
    const { secret } = await createConnection(ctx, { provider });
    await makeReceiver(ctx, { events: ["pool.low"] });
    const shown = JSON.stringify(await simulate(ctx));
    expect(shown).toContain("No endpoint wants an event of a journey, clicks aside.");
    expect(shown).toContain("x-api-key: …");
    expect(shown).not.toContain(secret);
    expect(shown).not.toMatch(/mc_test_[0-9A-Za-z]{10}/);
  });

  test("waits for the webhooks and shows their attempts, whatever the clock of its machine says", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { ctx } = await sandbox({ threshold: 1 });
    await createConnection(ctx, { provider: "revenuecat" });
    await makeReceiver(ctx, { answer: () => 200 });
    const journey = await simulateAndDeliver(ctx);
    expect(outcomeOf(journey)).toMatchObject({ failed: undefined, states: { webhook: "passed" } });
    const sent = journey.steps.at(-1)?.exchanges.map((exchange) => exchange.sent.split("\n")[0]);
    expect(sent).toEqual(expect.arrayContaining(["referral.redeemed", "reward.claimed"]));
  });

  test.each([
    [500, "Fix the endpoint. The delivery is retried automatically, and can be resent."],
    [410, "Fix the endpoint, then enable it: 410 has disabled it. The delivery is retried after that."],
  ])("names a webhook that is refused with %i as the cause", async (status, todo) => {
    const { ctx } = await sandbox({ threshold: 1 });
    await createConnection(ctx, { provider: "revenuecat" });
    await makeReceiver(ctx, { answer: () => status });
    const cause = { why: expect.stringContaining(`It returned ${status}`), todo };
    expect((await simulateAndDeliver(ctx)).steps.at(-1)).toMatchObject({ state: "failed", cause });
  });
});

test("a journey through a campaign with a hold names it, claims nothing and goes on to the webhooks", async () => {
  const { ctx } = await sandbox({ threshold: 1, campaign: { holdDays: 14 } });
  await createConnection(ctx, { provider: "revenuecat" });
  await makeReceiver(ctx, { answer: () => 200 });
  const journey = await simulateAndDeliver(ctx);
  expect(outcomeOf(journey)).toMatchObject({
    failed: undefined,
    states: { purchase: "passed", reward: "skipped", claim: "skipped", webhook: "passed" },
  });
  const note = journey.steps.find(({ name }) => name === "reward")?.note;
  expect(note).toContain("1 confirmed friend is on hold");
  const notes = journey.steps.map((step) => step.note);
  expect(notes).toContainEqual(expect.stringContaining("On iOS, 1 confirmed friend earns a reward."));
  expect(notes).toContain("RevenueCat reported 1 purchase, which confirmed a referral.");
});

describe("a journey stops with the cause when", () => {
  test("the campaign is paused", async () => {
    const { ctx, campaignId } = await sandbox();
    const own = and(eq(campaigns.appId, ctx.app.id), eq(campaigns.id, campaignId));
    await ctx.db.orm.update(campaigns).set({ status: "paused" }).where(own);
    expect(outcomeOf(await simulate(ctx))).toMatchObject({
      failed: "referrer",
      why: expect.stringContaining("paused"),
      section: "/campaigns",
      states: { landing: "skipped", webhook: "skipped" },
    });
  });

  test.each([
    ["has used up its budget for codes", { codeBudget: 1, spentCodes: 1 }],
    ["starts later", { startsAt: new Date(Date.now() + 3_600_000) }],
  ])("the landing page is paused because the campaign %s", async (_, campaign) => {
    const { ctx } = await sandbox({ campaign });
    const { steps } = await simulate(ctx);
    expect(steps.find(({ name }) => name === "landing")).toMatchObject({
      state: "failed",
      cause: { why: expect.stringContaining("paused"), todo: expect.stringMatching(/budget.+start/) },
    });
  });

  test.each([
    ["the sandbox has no codes", { codes: 0 }, "/codes"],
    ["a friend is held", { app: { referrerDailyCap: 1, reviewsBeyondCaps: true } }, "/settings/rules"],
    ["a friend is refused beyond the app's limit", { app: { referrerDailyCap: 1 } }, "/settings/rules"],
  ])("%s", async (_, options, section) => {
    const { ctx } = await sandbox(options);
    expect(outcomeOf(await simulate(ctx))).toMatchObject({ failed: "redeem", section });
    // Codes of the next import go to testers, not to the friend of this journey.
    expect(await countInLine(ctx)).toEqual(new Map());
  });

  test.each([
    ["rewardPoolId", "claim", "1 reward was earned."],
    ["refereePoolId", "redeem", null],
  ])("the campaign has no pool: its %s is missing", async (column, failed, note) => {
    const { ctx, campaignId } = await sandbox({ threshold: 1 });
    await createConnection(ctx, { provider: "revenuecat" });
    const own = eq(campaignPlatforms.appId, ctx.app.id);
    await ctx.db.orm
      .update(campaignPlatforms)
      .set({ [column]: null })
      .where(own);
    const journey = await simulate(ctx);
    expect(outcomeOf(journey)).toMatchObject({ failed, section: `/campaigns/${campaignId}` });
    expect(journey.steps.find(({ name }) => name === "reward")?.note).toBe(note);
  });

  test("only influencer campaigns are active, whose rewards are not automatic", async () => {
    const { ctx } = await sandbox({ campaign: { type: "influencer" } });
    const why = "No active referral campaign of this sandbox runs on iOS.";
    expect(outcomeOf(await simulate(ctx))).toMatchObject({ failed: "referrer", why });
  });

  test("no provider is connected, after the friends have their codes", async () => {
    const { ctx } = await sandbox();
    const why = expect.stringContaining("No provider is connected");
    expect(outcomeOf(await simulate(ctx))).toMatchObject({ failed: "purchase", why, section: "/providers" });
    expect(await assignedIn(ctx)).toHaveLength(2);
  });

  test.each([
    ["referrer", "landing"],
    ["provider", "reward"],
  ] as const)("the sandbox is reset after a call of %s", async (name, failed) => {
    const { ctx } = await sandbox({ threshold: 1 });
    await createConnection(ctx, { provider: "generic" });
    const thenReset: JourneyHandlers["referrer"] = async (...call) => {
      const response = await handlers[name](...call);
      await resetSandbox(ctx);
      return response;
    };
    const journey = await simulate(ctx, "ios", undefined, { ...handlers, [name]: thenReset });
    expect(outcomeOf(journey)).toMatchObject({ failed, why: expect.stringMatching(/probably.* was reset/) });
  });

  test("the threshold is beyond the friends of one journey", async () => {
    const { ctx } = await sandbox({ threshold: 50, codes: 60 });
    await createConnection(ctx, { provider: "generic" });
    const why = expect.stringContaining("50");
    expect(outcomeOf(await simulate(ctx))).toMatchObject({ failed: "reward", why });
    expect(await assignedIn(ctx)).toHaveLength(0);
  });
});

test("a live app is refused, and nothing of it changes", async () => {
  const { ctx } = await makeTenant();
  const before = await rowsOfApp(ctx.app.id);
  await expect(simulate(asTeamMember(ctx))).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await rowsOfApp(ctx.app.id)).toEqual(before);
});
