import { and, eq, sql } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { PersonFacts } from "@/components/person/facts";
import { DAY_MS } from "@/lib/contract/format";
import type { PersonPlace } from "@/lib/contract/person";
import { getPerson, isUnknown } from "@/lib/outward/person/get";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import {
  apps,
  campaignPlatforms,
  codes,
  identityLinks,
  outbox,
  refereesInLine,
  requestSubjects,
} from "@/lib/platform/db/schema";
import { joinUids } from "@/lib/program/end-users/join";
import { countInLine, endPlaces, setAside } from "@/lib/program/line/line";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";
import { approveReferee, dismissReferee, listReviews } from "./review";

useService({ AUTH_SECRET: "a secret of the tests, 32 characters" });

const HELD = "NO_CODES_AVAILABLE";

/** A referrer at the cap, and a referee over it who is held. */
async function heldReferee() {
  const { tenant, api, metacode } = await referringTenant({
    codes: 5,
    app: { referrerDailyCap: 1, reviewsBeyondCaps: true },
  });
  const redeem = async (uid: string) => {
    const { status, body } = await api.redeem(uid, metacode);
    return status === 200 ? "OK" : body.error.code;
  };
  expect(await redeem("friend")).toBe("OK");
  expect(await redeem("bob")).toBe(HELD);
  return { tenant, ctx: asTeamMember(tenant.ctx), api, metacode, redeem };
}

/** As above, but approved, and the referee did not fetch the code that was set aside. */
async function approvedReferee() {
  const { tenant, ctx, redeem } = await heldReferee();
  const { orm } = ctx.db;
  const own = eq(refereesInLine.appId, ctx.app.id);
  const places = async () =>
    (await orm.select().from(refereesInLine).where(own)).map(({ refereeUid, state, codeId }) => [
      refereeUid,
      state,
      codeId !== null,
    ]);
  const free = (status: "available" | "void") =>
    orm.$count(codes, and(eq(codes.appId, ctx.app.id), eq(codes.status, status)));
  const letTimeEnd = async () => {
    await orm
      .update(refereesInLine)
      .set({ reservedUntil: sql`now()` })
      .where(and(own, sql`code_id is not null`));
    await endPlaces(ctx);
  };
  const [row] = (await listReviews(ctx, { state: undefined, cursor: undefined })).data;
  await approveReferee(ctx, row?.id ?? "");
  expect(await places()).toEqual([["bob", "waiting", true]]);
  const before = await free("available");
  await letTimeEnd();
  expect(await free("available")).toBe(before + 1);
  expect(await places()).toEqual([["bob", "approved", false]]);
  return { ctx, tenant, redeem, places, letTimeEnd, place: row?.id ?? "" };
}

test("an approval outlasts the code that was set aside: the next redeem gets one, whatever the limits say", async () => {
  const { ctx, redeem, places, letTimeEnd } = await approvedReferee();
  // The place is neither in line nor over.
  await letTimeEnd();
  expect(await places()).toEqual([["bob", "approved", false]]);
  expect([...(await countInLine(ctx))]).toEqual([]);
  const person = await getPerson(ctx, "bob");
  expect(person.places).toMatchObject([{ state: "approved", closed: null }]);
  const [{ at, reservedUntil }] = person.places as [PersonPlace];
  // Once its time is over, the code that was set aside is listed beside the approval.
  const over = sql`${outbox.payload} || jsonb_build_object('reserved_until', now())`;
  const ready = and(eq(outbox.appId, ctx.app.id), eq(outbox.type, "referral.code_ready"));
  await ctx.db.orm.update(outbox).set({ payload: over }).where(ready);
  const { places: both } = await getPerson(ctx, "bob");
  expect(both.map(({ state }) => state)).toEqual(["approved", "ended"]);
  expect(reservedUntil).toEqual(new Date(at.getTime() + 30 * DAY_MS));
  const shown = renderToStaticMarkup(createElement(PersonFacts, { base: "", person }));
  expect(shown).toMatch(/Approved beyond a limit for iOS until .*: the user can redeem again/);
  expect(await redeem("cat")).toBe(HELD);
  expect(await redeem("bob")).toBe("OK");
});

test("a person whose approval is over is known by the decision in the audit log", async () => {
  const { ctx } = await approvedReferee();
  await flushRequests();
  for (const table of [refereesInLine, requestSubjects, outbox])
    await ctx.db.orm.delete(table).where(eq(table.appId, ctx.app.id));
  const person = await getPerson(ctx, "bob");
  expect([person.places, person.audit.map(({ action }) => action)]).toEqual([[], ["person.approved"]]);
  expect(isUnknown(person)).toBe(false);
});

test("an approved referee who finds no code stands in line again, and has the next code", async () => {
  const { ctx, tenant, redeem, places, letTimeEnd } = await approvedReferee();
  const own = and(eq(codes.appId, ctx.app.id), eq(codes.status, "available"));
  await ctx.db.orm.update(codes).set({ status: "void" }).where(own);
  expect(await redeem("bob")).toBe(HELD);
  expect(await places()).toEqual([["bob", "waiting", false]]);
  await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 1 });
  expect(await setAside(ctx, tenant.pools.ios.referee)).toBe(1);
  expect(await redeem("cat")).toBe(HELD);
  await letTimeEnd();
  expect(await redeem("bob")).toBe("OK");
});

test("an approval holds for an id that is joined afterwards, and puts it in line at its place", async () => {
  const { ctx, redeem, places } = await approvedReferee();
  expect(await redeem("bob-2")).toBe(HELD);
  await joinUids(ctx, { uid: "bob-2", otherUid: "bob", reason: "Reinstalled", keepApart: "true" });
  expect(await ctx.db.orm.$count(identityLinks, eq(identityLinks.appId, ctx.app.id))).toBe(1);
  expect(await places()).toEqual([["bob", "waiting", false]]);
  expect(await redeem("bob-2")).toBe("OK");
});

test("an approval is neither repeated nor undone from an old list, and takes no place among the held redemptions", async () => {
  const { ctx, redeem, places, place } = await approvedReferee();
  for (const decide of [approveReferee, dismissReferee])
    await expect(decide(ctx, place)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await places()).toEqual([["bob", "approved", false]]);
  const [row] = await ctx.db.orm.select().from(refereesInLine).where(eq(refereesInLine.appId, ctx.app.id));
  if (!row) throw new Error("bob has no place");
  const others = Array.from({ length: 99 }, (_, n) => ({ ...row, refereeUid: `late-${n}`, place: uuidv7() }));
  await ctx.db.orm.insert(refereesInLine).values(others);
  expect(await redeem("cat")).toBe(HELD);
});

test("an approval from an old list leaves a colleague's dismissal as it is, and one from the list of dismissed ones ends it", async () => {
  const { ctx } = await heldReferee();
  const [row] = (await listReviews(ctx, { state: undefined, cursor: undefined })).data;
  const place = row?.id ?? "";
  await dismissReferee(ctx, place);
  await expect(approveReferee(ctx, place, "review")).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await listReviews(ctx, { state: "dismissed", cursor: undefined })).data).toHaveLength(1);
  await approveReferee(ctx, place, "dismissed");
  expect((await listReviews(ctx, { state: "dismissed", cursor: undefined })).data).toEqual([]);
});

test("a held place that moves to a joined id is in line once the app no longer holds redeems", async () => {
  const { tenant, api, metacode } = await referringTenant({
    codes: 1,
    app: { referrerDailyCap: 1, reviewsBeyondCaps: true },
  });
  const ctx = asTeamMember(tenant.ctx);
  expect((await api.redeem("friend", metacode)).status).toBe(200);
  expect((await api.redeem("ada-old", metacode)).status).toBe(503);
  await joinUids(ctx, { uid: "ada-old", otherUid: "ada-new", reason: "Reinstalled", keepApart: "true" });
  const change = { reviewsBeyondCaps: false, referrerDailyCap: 100 };
  await ctx.db.orm.update(apps).set(change).where(eq(apps.id, ctx.app.id));
  expect((await api.redeem("ada-new", metacode)).status).toBe(503);
  const own = eq(refereesInLine.appId, ctx.app.id);
  const place = { refereeUid: "ada-new", state: "waiting", beyond: null };
  expect(await ctx.db.orm.select().from(refereesInLine).where(own)).toMatchObject([place]);
  await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 1 });
  expect(await setAside(ctx, tenant.pools.ios.referee)).toBe(1);
});

test.each(["their own id", "a joined id"])(
  "a dismissed person is in line by %s once the app no longer holds redeems",
  async (how) => {
    const { ctx, tenant, redeem } = await heldReferee();
    const [row] = (await listReviews(ctx, { state: undefined, cursor: undefined })).data;
    await dismissReferee(ctx, row?.id ?? "");
    const ids = { uid: "bob", otherUid: "bob-2", reason: "Reinstalled", keepApart: "true" } as const;
    if (how === "a joined id") await joinUids(ctx, ids);
    const change = { reviewsBeyondCaps: false, referrerDailyCap: 100 };
    await ctx.db.orm.update(apps).set(change).where(eq(apps.id, ctx.app.id));
    await ctx.db.orm.update(codes).set({ status: "void" }).where(eq(codes.appId, ctx.app.id));
    expect(await redeem(how === "a joined id" ? "bob-2" : "bob")).toBe(HELD);
    const [place] = await ctx.db.orm
      .select()
      .from(refereesInLine)
      .where(eq(refereesInLine.appId, ctx.app.id));
    expect(place).toMatchObject({ state: "waiting", beyond: null });
    await makeBatch(ctx, tenant.pools.ios.referee, "ios", { size: 1 });
    expect(await setAside(ctx, tenant.pools.ios.referee)).toBe(1);
  },
);

test("on a platform without codes a redeem of a held person is refused for that, not as a conflict", async () => {
  const { ctx, api, metacode } = await heldReferee();
  await ctx.db.orm.update(apps).set({ referrerDailyCap: 9 }).where(eq(apps.id, ctx.app.id));
  const { appId, platform } = campaignPlatforms;
  await ctx.db.orm.delete(campaignPlatforms).where(and(eq(appId, ctx.app.id), eq(platform, "android")));
  const { status, body } = await api.redeem("bob", metacode, "android", {}, { "idempotency-key": "bob" });
  expect([status, body.error.message]).toEqual([503, expect.stringContaining("it runs on iOS only")]);
});
