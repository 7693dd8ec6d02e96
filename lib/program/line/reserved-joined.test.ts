import { and, asc, eq, sql } from "drizzle-orm";
import { uuidv7 } from "uuidv7";
import { expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { identityLinks, offerTakers, refereesInLine } from "@/lib/platform/db/schema";
import { setAsideOverlooked } from "@/lib/program/code-requests/overlooked";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { joinUids } from "@/lib/program/end-users/join";
import { endPlaces, setAside } from "@/lib/program/line/line";
import { blockedBackends } from "@/lib/testing/database/locks";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { asTeamMember } from "@/lib/testing/support";
import { makeBatch } from "@/lib/testing/tenant";

useService({ AUTH_SECRET: "a".repeat(32) });

/** Referees in line for an empty pool, in the order of `uids`; the end user `anon` has had the offer “spring”. */
async function lineOf(...uids: string[]) {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const ctx = asTeamMember(tenant.ctx);
  const poolId = tenant.pools.ios.referee;
  const own = eq(refereesInLine.appId, ctx.app.id);
  const had = (uid: string) =>
    ctx.db.orm.insert(offerTakers).values({ appId: ctx.app.id, platform: "ios", offer: "spring", uid });
  /** The referees in line, with `!` after each for whom a code is set aside now. */
  const line = async () => {
    const places = await ctx.db.orm
      .select()
      .from(refereesInLine)
      .where(own)
      .orderBy(asc(refereesInLine.place));
    return places.map(({ refereeUid, reservedUntil }) =>
      reservedUntil && reservedUntil > new Date() ? `${refereeUid}!` : refereeUid,
    );
  };
  const join = async (uid: string, otherUid: string, by: string) => {
    const link = { appId: ctx.app.id, fromUid: uid, toUid: otherUid, type: "ALIAS", eventId: uuidv7() };
    if (by === "a provider") await ctx.db.orm.insert(identityLinks).values(link);
    else await joinUids(ctx, { uid, otherUid, reason: "Reinstalled", keepApart: "true" });
  };
  const add = async (size: number, offer: string | null) => {
    await makeBatch(ctx, poolId, "ios", { size, offer });
    return setAside(ctx, poolId);
  };
  const overdue = (uid: string) =>
    ctx.db.orm
      .update(refereesInLine)
      .set({ reservedUntil: sql`now()` })
      .where(and(own, eq(refereesInLine.refereeUid, uid)));
  await had("anon");
  for (const uid of uids) expect((await api.redeem(uid, metacode)).status).toBe(503);
  return { ctx, api, metacode, line, had, join, add, overdue };
}

test.each(["a member", "a provider"])(
  "a code that is set aside goes to the next in line once %s joins an id that has had its offer, and the place stays",
  async (by) => {
    const { ctx, line, join, add } = await lineOf("user", "ben");
    expect([await add(1, "spring"), await line()]).toEqual([1, ["user!", "ben"]]);
    await join("anon", "user", by);
    await setAsideOverlooked(ctx);
    await endPlaces(ctx);
    expect(await line()).toEqual(["user", "ben!"]);
    expect([await add(1, "summer"), await line()]).toEqual([1, ["user!", "ben!"]]);
  },
);

test("a place stays after the 48 hours where a joined id has had the offer of its code, and ends where none has", async () => {
  const { ctx, line, join, add, overdue } = await lineOf("user", "ben");
  await add(2, "spring");
  await join("anon", "user", "a member");
  for (const uid of ["user", "ben"]) await overdue(uid);
  await endPlaces(ctx);
  expect(await line()).toEqual(["user"]);
});

test("a code stays set aside for a person whose joined id had one of the campaign before they were in line", async () => {
  const { ctx, api, metacode, line, join, add } = await lineOf();
  expect([await add(1, null), (await api.redeem("old", metacode)).status]).toEqual([0, 200]);
  expect((await api.redeem("new", metacode)).status).toBe(503);
  await join("old", "new", "a provider");
  expect([await add(1, null), await line()]).toEqual([1, ["new!"]]);
  await setAsideOverlooked(ctx);
  expect(await line()).toEqual(["new!"]);
});

test("the second place of a person ends where the pool has only the offer that is set aside for the first", async () => {
  const { line, join, add } = await lineOf("old", "new", "ben");
  await join("old", "new", "a provider");
  expect([await add(3, "spring"), await line()]).toEqual([2, ["old!", "ben!"]]);
});

test("once a joined id is erased, an id has had only its own offers", async () => {
  const { ctx, api, metacode, line, had, join, add } = await lineOf("user");
  await join("anon", "user", "a member");
  expect([await add(2, "spring"), await line()]).toEqual([0, ["user"]]);
  await eraseEndUser(ctx, "anon");
  await setAsideOverlooked(ctx);
  await endPlaces(ctx);
  expect(await line()).toEqual(["user!"]);
  expect((await api.redeem("user", metacode)).status).toBe(200);
  await expect(had("user")).rejects.toThrow();
});

test("two ids of a person that join the line while their first link is deleted have one place", async () => {
  const { ctx, api, metacode, line, join } = await lineOf();
  await join("a", "b", "a provider");
  await join("b", "c", "a provider");
  const erasure = await database().pool.connect();
  await erasure.query("begin");
  await erasure.query("delete from identity_links where app_id = $1 and from_uid = 'a'", [ctx.app.id]);
  const redeeming = ["b", "c"].map((uid) => api.redeem(uid, metacode));
  await blockedBackends(2);
  await erasure.query("commit");
  erasure.release();
  expect((await Promise.all(redeeming)).map(({ status }) => status)).toEqual([503, 503]);
  expect(await line()).toHaveLength(1);
});
