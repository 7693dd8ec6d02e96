import { and, eq, sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { DAY_MS } from "@/lib/contract/format";
import { abuseProblems } from "@/lib/outward/problems/detect-abuse";
import { apps, auditLog, outbox, refereesInLine } from "@/lib/platform/db/schema";
import { importCodes } from "@/lib/program/codes/import";
import { randomCodeFile } from "@/lib/program/codes/sample-codes";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { exportEndUser } from "@/lib/program/end-users/export";
import { endPlaces } from "@/lib/program/line/line";
import { persistently } from "@/lib/testing/parallel";
import { assignedCodes, referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeTenant, type TenantOptions } from "@/lib/testing/tenant";
import { approveReferee, dismissReferee, listReviews } from "./review";

const CAP = 2;
const HELD = "NO_CODES_AVAILABLE";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

/** A tenant with a cap of two codes per referrer, which holds redeems over it. */
async function holding(options: TenantOptions = {}) {
  const { tenant, api, metacode } = await referringTenant({
    codes: 60,
    ...options,
    app: { referrerDailyCap: CAP, reviewsBeyondCaps: true, ...options.app },
  });
  const { ctx } = tenant;
  const own = eq(refereesInLine.appId, ctx.app.id);
  /** Repeats a redeem while a busy machine answers 503 without a verdict. */
  const ask = (uid: string, code = metacode) =>
    persistently(
      () => api.redeem(uid, code),
      ({ body }) => body.error?.code !== "SERVICE_UNAVAILABLE",
    );
  /** The code, or the error code. */
  const redeem = async (uid: string, code = metacode): Promise<string> => {
    const { status, body } = await ask(uid, code);
    return status === 200 ? body.code : body.error.code;
  };
  const places = () => ctx.db.orm.select().from(refereesInLine).where(own);
  const held = async (state?: "dismissed") => (await listReviews(ctx, { state, cursor: undefined })).data;
  const placeOf = async (uid: string) => {
    const all = [...(await held()), ...(await held("dismissed"))];
    return all.find(({ refereeUid }) => refereeUid === uid)?.id ?? "";
  };
  const fill = async () => {
    for (let n = 0; n < CAP; n++) expect(await redeem(`friend-${n}`)).not.toBe(HELD);
  };
  return { ...tenant, tenant, api, metacode, ask, redeem, places, held, placeOf, fill };
}

describe("beyond the cap of a referrer", () => {
  test("a redeem is held, answered like an empty pool, and listed with its reason; a retry changes nothing", async () => {
    const app = await holding();
    await app.fill();
    for (let n = 0; n < 2; n++) {
      const { status, body, headers } = await app.ask("bob");
      expect([status, body.error.code, headers.get("retry-after")]).toEqual([503, HELD, "3600"]);
    }
    expect(await app.held()).toMatchObject([
      {
        refereeUid: "bob",
        beyond: "referrer_daily_cap",
        platform: "ios",
        referrer: { metacode: app.metacode },
      },
    ]);
    const found = async (q: string) => (await listReviews(app.ctx, { q, cursor: undefined })).data.length;
    expect([await found("bo"), await found("ob")]).toEqual([1, 0]);
    const problems = await abuseProblems(app.ctx, new Map());
    expect(problems.map(({ severity, kind, title }) => [severity, kind, title])).toEqual([
      ["warning", "review", "1 redemption beyond a limit is waiting for your review"],
    ]);
    expect(await assignedCodes(app.tenant)).toHaveLength(CAP);
    // A retry of a referee with a code does not count as a redeem over the cap.
    expect(await app.redeem("friend-0")).toBe("ALREADY_REDEEMED");
  });

  test("an approved referee gets a code that is set aside, with its event, and others stay held", async () => {
    const app = await holding();
    await app.fill();
    for (const uid of ["bob", "cat"]) expect(await app.redeem(uid)).toBe(HELD);
    await approveReferee(app.ctx, await app.placeOf("bob"));
    const events = await app.ctx.db.orm
      .select()
      .from(outbox)
      .where(and(eq(outbox.appId, app.ctx.app.id), eq(outbox.type, "referral.code_ready")));
    const reserved_until = expect.stringMatching(/T\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(events.map(({ payload }) => payload)).toMatchObject([{ referee_uid: "bob", reserved_until }]);
    expect(await app.redeem("bob")).not.toBe(HELD);
    expect(await app.redeem("cat")).toBe(HELD);
    await expect(approveReferee(app.ctx, (await app.places())[0]?.place ?? "")).resolves.toBeUndefined();
    const audit = await app.ctx.db.orm
      .select({ action: auditLog.action, subject: auditLog.subjectId })
      .from(auditLog)
      .where(and(eq(auditLog.appId, app.ctx.app.id), eq(auditLog.action, "person.approved")));
    expect(audit.map(({ subject }) => subject).sort()).toEqual(["bob", "cat"]);
  });

  test("an approved referee keeps the place in line while the pool is empty", async () => {
    const app = await holding({ codes: CAP });
    await app.fill();
    expect(await app.redeem("bob")).toBe(HELD);
    await approveReferee(app.ctx, await app.placeOf("bob"));
    const { body } = await app.ask("bob");
    expect(body.error.message).not.toMatch(/review/);
    expect(await app.places()).toMatchObject([{ refereeUid: "bob", state: "waiting", codeId: null }]);
  });

  test("a dismissed referee gets no code the next day either, adds nothing to the list, and can be approved later", async () => {
    const app = await holding();
    await app.fill();
    expect(await app.redeem("bob")).toBe(HELD);
    await dismissReferee(app.ctx, await app.placeOf("bob"));
    await expect(dismissReferee(app.ctx, await app.placeOf("bob"))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await app.ctx.db.orm.update(apps).set({ referrerDailyCap: 9 }).where(eq(apps.id, app.ctx.app.id));
    const replies = await Promise.all(Array.from({ length: 20 }, () => app.redeem("bob")));
    expect(new Set(replies)).toEqual(new Set(["CONFLICT"]));
    const withKey = () => app.api.redeem("bob", app.metacode, "ios", {}, { "idempotency-key": "bob" });
    expect((await withKey()).body.error.code).toBe("CONFLICT");
    expect([await app.held(), await abuseProblems(app.ctx, new Map())]).toEqual([[], []]);
    expect(await app.places()).toHaveLength(1);
    await approveReferee(app.ctx, await app.placeOf("bob"));
    expect((await withKey()).status).toBe(200);
  });

  test("a held referee stays held when the cap has room again", async () => {
    const app = await holding();
    await app.fill();
    expect(await app.redeem("bob")).toBe(HELD);
    await app.ctx.db.orm.update(apps).set({ referrerDailyCap: 9 }).where(eq(apps.id, app.ctx.app.id));
    expect(await Promise.all([app.redeem("bob"), app.redeem("new")])).toEqual([HELD, expect.any(String)]);
    expect((await assignedCodes(app.tenant)).map(({ redeemedByUid }) => redeemedByUid)).not.toContain("bob");
  });

  test("one referrer brings at most 100 to the list, and without the setting all are refused", async () => {
    const app = await holding();
    await app.fill();
    expect(await app.redeem("bob")).toBe(HELD);
    await app.ctx.db.orm.execute(sql`
      insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place, state, beyond)
      select app_id, campaign_id, 'made-up-' || n, platform, referrer_id, new_id(), state, beyond
        from referees_in_line, generate_series(1, 99) n where app_id = ${app.ctx.app.id}`);
    expect(await app.redeem("one-too-many")).toBe("CONFLICT");
    expect(await app.places()).toHaveLength(100);
    await app.ctx.db.orm.update(apps).set({ reviewsBeyondCaps: false }).where(eq(apps.id, app.ctx.app.id));
    expect(await app.redeem("bob")).toBe("CONFLICT");
  });

  test("made-up referrers bring at most 1,000 to the list of an app", async () => {
    const app = await holding();
    await app.fill();
    await app.ctx.db.orm.execute(sql`
      insert into referees_in_line (app_id, campaign_id, referee_uid, platform, referrer_id, place, state, beyond)
      select app_id, id, 'made-up-' || n, 'ios', gen_random_uuid(), new_id(), 'review', 'referrer_daily_cap'
        from campaigns, generate_series(1, 1000) n where app_id = ${app.ctx.app.id}`);
    expect(await app.redeem("one-too-many")).toBe("CONFLICT");
    expect(await app.places()).toHaveLength(1_000);
  });

  test("a held redeem with an Idempotency-Key gets its code after the approval", async () => {
    const app = await holding();
    await app.fill();
    const once = () => app.api.redeem("bob", app.metacode, "ios", {}, { "idempotency-key": "bob" });
    expect((await once()).status).toBe(503);
    await approveReferee(app.ctx, await app.placeOf("bob"));
    expect((await once()).status).toBe(200);
  });
});

test("of 40 redeems at once beyond a cap, while members decide, exactly those approved get codes", async () => {
  const app = await holding();
  await app.fill();
  const uids = Array.from({ length: 40 }, (_, n) => `racer-${n}`);
  await Promise.all(uids.slice(0, 20).map((uid) => app.redeem(uid)));
  const approved = uids.slice(0, 10);
  await Promise.all([
    ...(await Promise.all(approved.map(app.placeOf))).flatMap((id) =>
      // Two members at once: one of them decides.
      [1, 2].map(() => approveReferee(app.ctx, id).catch(() => "decided")),
    ),
    ...uids.map((uid) => app.redeem(uid)),
  ]);
  for (const uid of uids) await app.redeem(uid);
  const codes = await assignedCodes(app.tenant);
  const racers = codes
    .map(({ redeemedByUid }) => redeemedByUid ?? "")
    .filter((uid) => uid.startsWith("racer"));
  expect(racers.sort()).toEqual([...approved].sort());
  expect(codes).toHaveLength(CAP + approved.length);
  expect(await app.held()).toHaveLength(30);
});

test("a member of another app cannot decide", async () => {
  const app = await holding();
  await app.fill();
  await app.redeem("bob");
  const id = await app.placeOf("bob");
  const { ctx: stranger } = await makeTenant();
  for (const decide of [approveReferee, dismissReferee]) {
    await expect(decide(stranger, id)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect((await listReviews(stranger, { state: undefined, cursor: undefined })).data).toEqual([]);
});

test("a code that was set aside for a referee who is held since returns to the pool, and the referee stays held", async () => {
  const app = await holding({ codes: 1 });
  expect(await app.redeem("friend")).not.toBe(HELD);
  expect(await app.redeem("bob")).toBe(HELD);
  await importCodes(app.ctx, {
    poolId: app.pools.ios.referee,
    kind: "one_time",
    source: randomCodeFile("ios", 1),
  });
  await app.ctx.db.orm.update(apps).set({ referrerDailyCap: 1 }).where(eq(apps.id, app.ctx.app.id));
  expect(await app.redeem("bob")).toBe(HELD);
  const own = eq(refereesInLine.appId, app.ctx.app.id);
  await app.ctx.db.orm.update(refereesInLine).set({ reservedUntil: sql`now()` }).where(own);
  await endPlaces(app.ctx);
  expect(await app.places()).toMatchObject([{ refereeUid: "bob", state: "review", codeId: null }]);
  await approveReferee(app.ctx, await app.placeOf("bob"));
  expect(await app.redeem("bob")).not.toBe(HELD);
});

test("export, erasure and retention reach a held and a dismissed referee", async () => {
  const app = await holding({ codes: 3 });
  await app.fill();
  for (const uid of ["bob", "cat", "dan"]) await app.redeem(uid);
  await dismissReferee(app.ctx, await app.placeOf("cat"));
  expect((await exportEndUser(app.ctx, "bob")).places_in_line).toMatchObject([
    { state: "review", beyond_limit: "referrer_daily_cap" },
  ]);
  await eraseEndUser(app.ctx, "bob");
  expect((await app.held()).map(({ refereeUid }) => refereeUid)).toEqual(["dan"]);
  const old = new Date(Date.now() - 31 * DAY_MS);
  await app.ctx.db.orm
    .update(refereesInLine)
    .set({ createdAt: old })
    .where(eq(refereesInLine.appId, app.ctx.app.id));
  await endPlaces(app.ctx);
  expect(await app.places()).toEqual([]);
  // The dismissal ended with the place.
  expect(await app.redeem("cat")).toBe(HELD);
});
