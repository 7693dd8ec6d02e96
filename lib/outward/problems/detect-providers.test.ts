import { eq } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { describe, expect, test } from "vitest";
import { checkIntegration } from "@/lib/outward/integration/check";
import { detect, listProblems } from "@/lib/outward/problems/detect";
import { isSilent } from "@/lib/outward/problems/detect-providers";
import { campaigns, providerConnections, providerEvents } from "@/lib/platform/db/schema";
import { createConnection } from "@/lib/program/connections/create";
import { deleteConnection, disableConnection } from "@/lib/program/connections/update";
import { later } from "@/lib/testing/clock";
import { applyEvent } from "@/lib/testing/confirm";
import { ago, DAY, HOUR, MINUTE, problemsOf, soundApp, withProvider } from "@/lib/testing/problems";
import { useService } from "@/lib/testing/service";

useService();

const NOW = Date.parse("2026-06-01T00:00:00Z");

/** Events at a steady pace; `since` is the age of the newest. */
const steady = (pause: number, since: number, count = 20) =>
  Array.from({ length: count }, (_, index) => NOW - since - index * pause);

describe("a provider is silent", () => {
  test.each([
    ["after three days where events came every hour", HOUR, 3 * DAY + 1, true],
    ["not before three days, however busy it was", HOUR, 3 * DAY - 1, false],
    ["after five usual pauses where these are long", 2 * DAY, 10 * DAY + 1, true],
    ["not before five of them", 2 * DAY, 10 * DAY - 1, false],
  ])("%s", (_, pause, since, silent) => {
    expect(isSilent(steady(pause, since), NOW)).toBe(silent);
  });

  test("never if too few events show a rhythm", () => {
    expect(isSilent(steady(HOUR, 90 * DAY, 4), NOW)).toBe(false);
    expect(isSilent([], NOW)).toBe(false);
  });
});

describe("providers", () => {
  /** The problems of a connection created two hours ago, given its stored values. */
  async function ofConnection(
    change: object,
    newest?: { age: number; events: number; unreadable?: number },
    raised: string[] = [],
  ) {
    const { ctx } = await soundApp();
    const { id } = await createConnection(ctx, { provider: "revenuecat" });
    await ctx.db.orm
      .update(providerConnections)
      .set({ createdAt: ago(2 * HOUR), ...change })
      .where(eq(providerConnections.id, id));
    for (let index = (newest?.events ?? 0) - 1; newest && index >= 0; index--) {
      await ctx.db.orm.insert(providerEvents).values({
        appId: ctx.app.id,
        id: uuidv7(),
        connectionId: id,
        eventId: `e${index}`,
        type: "T",
        uids: [],
        confirmation: {},
        verdict: index < (newest.unreadable ?? 0) ? "unreadable" : "ignored",
        payload: {},
        createdAt: ago(newest.age + index * HOUR),
      });
    }
    const open = new Map(raised.map((problem) => [problem.replace("ID", id), ago(DAY)]));
    return (await detect(ctx, { open })).map(({ severity, kind }) => [severity, kind]);
  }

  test("that fell silent stay so once their events have been deleted", async () => {
    const { ctx } = await soundApp();
    const { id } = await createConnection(ctx, { provider: "revenuecat" });
    await ctx.db.orm
      .update(providerConnections)
      .set({ createdAt: ago(200 * DAY) })
      .where(eq(providerConnections.id, id));
    const title = expect.stringContaining("has sent no event for 90 days");
    const open = new Map([[`provider_silent ${id}`, ago(97 * DAY)]]);
    expect(await detect(ctx, { open })).toMatchObject([
      { severity: "warning", kind: "provider_silent", title },
    ]);
    expect(await detect(ctx)).toMatchObject([{ severity: "hint", kind: "provider_never", title }]);
  });

  test("that were silent and have few events left end with a new event", async () => {
    expect(await ofConnection({}, { age: 60 * DAY, events: 2 }, ["provider_silent ID"])).toEqual([
      ["warning", "provider_silent"],
    ]);
    expect(await ofConnection({}, { age: DAY, events: 2 }, ["provider_silent ID"])).toEqual([]);
  });

  test("that never sent an event, stopped sending, or send the wrong secret", async () => {
    expect(await ofConnection({})).toEqual([["hint", "provider_never"]]);
    expect(await ofConnection({ createdAt: ago(MINUTE) })).toEqual([]);
    expect(await ofConnection({ enabled: false })).toEqual([]);
    expect(await ofConnection({}, { age: 2 * DAY, events: 5 })).toEqual([]);
    expect(await ofConnection({}, { age: 4 * DAY, events: 5 })).toEqual([["warning", "provider_silent"]]);
    expect(await ofConnection({}, { age: 4 * DAY, events: 4 })).toEqual([]);
    expect(await ofConnection({ refusedAt: ago(DAY) }, { age: 2 * DAY, events: 1 })).toEqual([
      ["critical", "provider_refused"],
    ]);
    expect(await ofConnection({ refusedAt: ago(2 * DAY) }, { age: DAY, events: 1 })).toEqual([]);
  });

  test("whose five newest events are unreadable are a problem until most of these can be read", async () => {
    const refused = [["critical", "provider_refused"]];
    const newest = (unreadable: number, events = 20) => ({ age: HOUR, events, unreadable });
    expect(await ofConnection({}, newest(5))).toEqual(refused);
    expect(await ofConnection({}, newest(5, 5))).toEqual(refused);
    expect(await ofConnection({}, newest(4))).toEqual([]);
    const open = ["provider_refused ID unreadable"];
    expect(await ofConnection({}, newest(3), open)).toEqual(refused);
    expect(await ofConnection({}, newest(2), open)).toEqual([]);
    const silent = { age: 200 * DAY, events: 20, unreadable: 5 };
    expect(await ofConnection({}, silent)).toEqual([["warning", "provider_silent"]]);
  });

  test("that are heard of no more have no wrong secret once the events after an old refusal are deleted", async () => {
    const quiet = { createdAt: ago(300 * DAY), refusedAt: ago(200 * DAY) };
    expect(await ofConnection(quiet)).toEqual([["hint", "provider_never"]]);
    expect(await ofConnection({ ...quiet, refusedAt: ago(DAY) })).toEqual([["critical", "provider_refused"]]);
  });

  test("that refuse Apple's deliveries, which carry no secret, lead to the IDs in the app's settings", async () => {
    const { ctx } = await soundApp();
    for (const provider of ["apple", "revenuecat"] as const) {
      const { id } = await createConnection(ctx, { provider });
      const own = eq(providerConnections.id, id);
      await ctx.db.orm
        .update(providerConnections)
        .set({ refusedAt: ago(MINUTE) })
        .where(own);
    }
    const common = { kind: "provider_refused", severity: "critical", needs: "admin" };
    expect(await detect(ctx)).toMatchObject([
      {
        ...{ ...common, path: "/settings", action: "Compare the IDs" },
        detail: expect.stringMatching(/^Compare the bundle ID and the Apple app ID in the settings/),
      },
      { ...common, path: expect.stringMatching(/^\/providers\//), action: "Check the secret" },
    ]);
  });

  test("are never silent in a sandbox, whose events are those of tests and simulated journeys", async () => {
    const { ctx } = await soundApp();
    const { id } = await createConnection(ctx, { provider: "revenuecat" });
    const sandbox = { ...ctx, app: { ...ctx.app, sandbox: true } };
    for (let event = 0; event < 6; event++) await applyEvent(ctx, `${event}`, "ignore");
    await ctx.db.orm.update(providerEvents).set({ connectionId: id, createdAt: ago(4 * DAY) });
    expect((await problemsOf(ctx)).map(([, kind]) => kind)).toEqual(["provider_silent"]);
    expect(await detect(sandbox)).toEqual([]);
    const [check] = (await checkIntegration(sandbox)).filter(({ topic }) => topic === "providers");
    expect(check?.evidence).toEqual([expect.stringMatching(/^Last event 4 days ago/)]);
  });

  test("whose own secret was not pasted need it, before and after their first event is refused", async () => {
    const { ctx } = await soundApp();
    const { id } = await createConnection(ctx, { provider: "stripe" });
    const own = eq(providerConnections.id, id);
    await ctx.db.orm
      .update(providerConnections)
      .set({ createdAt: ago(2 * HOUR) })
      .where(own);
    const detail = "Enter its secret: until then its events are refused, so no referral is confirmed.";
    const needs = { detail, path: `/providers/${id}`, action: "Enter the secret", needs: "admin" };
    expect(await listProblems(ctx)).toMatchObject([{ kind: "provider_never", ...needs }]);
    await ctx.db.orm
      .update(providerConnections)
      .set({ refusedAt: ago(MINUTE) })
      .where(own);
    expect(await listProblems(ctx)).toMatchObject([{ kind: "provider_refused", ...needs }]);
    const [check] = (await checkIntegration(ctx)).filter(({ topic }) => topic === "providers");
    expect(check).toMatchObject({ state: "critical", action: "Enter the secret", needs: "admin" });
  });

  test("that are all disabled or deleted after one has sent an event are a problem of an active live app", async () => {
    const { ctx, campaignId } = await soundApp();
    const { id } = await createConnection(ctx, { provider: "revenuecat" });
    await disableConnection(ctx, id);
    expect(await problemsOf(ctx)).toEqual([]);
    await applyEvent(ctx, "someone", "ignore");
    const none = ["critical", "provider_silent", "none enabled"];
    expect(await problemsOf(ctx)).toEqual([none]);
    await deleteConnection(ctx, id);
    expect(await problemsOf(ctx)).toEqual([none]);
    await ctx.db.orm.delete(providerEvents);
    const open = new Map([["provider_silent none enabled", ago(91 * DAY)]]);
    expect([await detect(ctx), (await detect(ctx, { open })).length]).toEqual([[], 1]);
    await applyEvent(ctx, "someone", "ignore");
    expect(await detect({ ...ctx, app: { ...ctx.app, sandbox: true } })).toEqual([]);
    const own = eq(campaigns.id, campaignId);
    await ctx.db.orm.update(campaigns).set({ status: "draft", activatedAt: null }).where(own);
    expect((await problemsOf(ctx)).map(([, kind]) => kind)).toEqual(["campaign"]);
  });

  test("confirmations without a referral are a hint, and a problem from ten within a day on", async () => {
    const { ctx } = await withProvider(await soundApp());
    for (let buyer = 0; buyer < 2; buyer++) await applyEvent(ctx, `$RCAnonymousID:${buyer}`);
    expect(await detect(ctx)).toMatchObject([
      { severity: "hint", kind: "unmatched", title: "2 confirmations without a referral" },
    ]);
    for (let buyer = 2; buyer < 11; buyer++) await applyEvent(ctx, `$RCAnonymousID:${buyer}`);
    expect(await detect(ctx)).toMatchObject([
      {
        severity: "warning",
        kind: "unmatched",
        title: "11 confirmations within a day match no referral",
      },
    ]);
    const older = later(providerEvents.createdAt, -2 * 86_400);
    await ctx.db.orm.update(providerEvents).set({ createdAt: older });
    expect(await detect(ctx)).toMatchObject([
      { severity: "hint", title: "11 confirmations without a referral" },
    ]);
  });
});
