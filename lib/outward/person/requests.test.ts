import { and, eq, sql } from "drizzle-orm";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { uuidv7 } from "uuidv7";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { PersonFacts } from "@/components/person/facts";
import { getPerson } from "@/lib/outward/person/get";
import { listRequestsOf } from "@/lib/outward/person/requests";
import { flushRequests } from "@/lib/outward/request-log/buffer";
import { database } from "@/lib/platform/db/client";
import { requestLog, requestSubjects } from "@/lib/platform/db/schema";
import { eraseEndUser } from "@/lib/program/end-users/erase";
import { uidHash } from "@/lib/program/end-users/pseudonym";
import { findEndUsers } from "@/lib/program/referrers/find";
import { updateMetacode } from "@/lib/program/referrers/metacode";
import { updateReferrerStatus } from "@/lib/program/referrers/update";
import { postToApi } from "@/lib/testing/client";
import { blockedBackends } from "@/lib/testing/database/locks";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";

useService();
afterEach(() => vi.useRealTimers());

test("a metacode that was typed right, and refused with its referrer, says so, a former one too", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  const { referrer_id: id } = (await api.referrer("ann")).body;
  const meant = async () => {
    await flushRequests();
    return (await listRequestsOf(ctx, ["eve"])).map(({ nearest }) => nearest);
  };
  await updateReferrerStatus(ctx, id, "paused");
  expect((await api.redeem("eve", metacode.toUpperCase())).body.error.code).toBe("METACODE_NOT_FOUND");
  expect(await meant()).toMatchObject([{ id, metacode, by: "paused" }]);
  await updateReferrerStatus(ctx, id, "active");
  await updateMetacode(ctx, id, `new${metacode}`);
  expect(await meant()).toMatchObject([{ id, metacode: `new${metacode}`, by: "active" }]);
  await updateReferrerStatus(ctx, id, "ended");
  expect(await meant()).toMatchObject([{ id, by: "ended" }]);
});

test("a request that was accepted, or refused for another reason, names the referrer of its metacode", async () => {
  const { tenant, api, metacode } = await referringTenant();
  await api.redeem("eve", metacode);
  await api.redeem("eve", metacode.toUpperCase(), "android");
  await flushRequests();
  const requests = await listRequestsOf(tenant.ctx, ["eve"]);
  expect(requests.map(({ status }) => status)).toEqual([409, 200]);
  for (const { nearest } of requests) expect(nearest).toMatchObject({ metacode, by: "accepted" });
});

test("a request whose body was refused is on the page of the person whom it named", async () => {
  const { tenant, api, metacode } = await referringTenant();
  await api.redeem("eve", metacode, "IOS");
  await api.referrer("eve", "none");
  for (const uid of ["", " ", "x".repeat(256)]) await api.redeem(uid, metacode);
  await flushRequests();
  const requests = await listRequestsOf(tenant.ctx, ["eve"]);
  expect(requests.map(({ status, metacode: typed }) => [status, typed])).toEqual([
    [400, null],
    [400, metacode],
  ]);
});

test("a refused request is listed behind any number of later ones that were answered", async () => {
  const { tenant, api } = await referringTenant();
  const { ctx } = tenant;
  expect((await api.redeem("ann", "nothing2")).status).toBe(404);
  await flushRequests();
  const [refused] = await ctx.db.orm
    .select({ request: requestLog, subject: requestSubjects })
    .from(requestLog)
    .innerJoin(
      requestSubjects,
      and(eq(requestSubjects.appId, requestLog.appId), eq(requestSubjects.id, requestLog.id)),
    )
    .where(and(eq(requestLog.appId, ctx.app.id), eq(requestLog.status, 404)));
  if (!refused) throw new Error("the request was not stored");
  const { request, subject } = refused;
  const ids = Array.from({ length: 60 }, () => uuidv7());
  await ctx.db.orm.insert(requestLog).values(ids.map((id) => ({ ...request, id, status: 200 })));
  await ctx.db.orm.insert(requestSubjects).values(ids.map((id) => ({ ...subject, id })));
  const listed = await listRequestsOf(ctx, ["ann"]);
  expect(listed.map(({ id }) => id)).toEqual([...ids.reverse().slice(0, 50), request.id]);
});

test("a request that waits to be stored while its person is erased is stored without the person, unlike a request of a person who is back", async () => {
  const { tenant, api } = await referringTenant();
  const { ctx } = tenant;
  const named = async (uid: string) => {
    await flushRequests();
    return (await listRequestsOf(ctx, [uid])).length;
  };
  const ann = await named("ann");
  // Keeps the buffers from storing on their timers.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (const uid of ["eve", "ann"]) expect((await api.referrer(uid)).status).toBe(200);
  await eraseEndUser(ctx, "eve");
  // Nothing of this person is stored yet.
  expect((await api.redeem("kim", "nothing2")).status).toBe(404);
  await expect(eraseEndUser(ctx, "kim")).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect([await named("eve"), await named("kim"), await named("ann")]).toEqual([0, 0, ann + 1]);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  expect((await api.referrer("eve")).status).toBe(200);
  expect(await named("eve")).toBe(1);
});

test("an erasure waits for a batch of requests that is being stored, whose rows it then deletes", async () => {
  const { ctx } = (await referringTenant()).tenant;
  const client = await database().pool.connect();
  onTestFinished(() => client.release(true));
  await client.query("begin");
  const hashes = [uidHash(ctx.app.id, "eve")];
  await client.query({
    text: `select store_requests($1, array[gen_random_uuid()], array[gen_random_uuid()], '{POST}', '{/}', '{200}', '{null}', '{null}', '{1}',
      array[now()], '{eve}', '{null}', '{ios}', '{}', '{}', '{}', '{}', '{}', '{}', $2)`,
    values: [ctx.app.id, hashes],
  });
  const erasure = eraseEndUser(ctx, "eve");
  await blockedBackends();
  await client.query("commit");
  await erasure;
  expect(await listRequestsOf(ctx, ["eve"])).toEqual([]);
});

test("a mistyped metacode stays one, also where its request was refused for another reason", async () => {
  const { tenant, api, metacode } = await referringTenant();
  for (const platform of ["ios", "IOS"]) await api.redeem("eve", metacode.slice(1), platform);
  await flushRequests();
  const requests = await listRequestsOf(tenant.ctx, ["eve"]);
  expect(requests.map(({ errorCode, nearest }) => [errorCode, nearest?.by])).toEqual([
    ["VALIDATION_ERROR", "edit"],
    ["METACODE_NOT_FOUND", "edit"],
  ]);
});

test("a mistyped metacode names the referrer also while they are paused, after those who are active", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { ctx } = tenant;
  const { referrer_id: id } = (await api.referrer("ann")).body;
  const { referrer_id: other } = (await api.referrer("ben")).body;
  await updateReferrerStatus(ctx, id, "paused");
  const typed = `${metacode}x`;
  await api.redeem("eve", typed);
  await flushRequests();
  const meant = async () => (await listRequestsOf(ctx, ["eve"])).map(({ nearest }) => nearest);
  expect(await meant()).toMatchObject([{ id, metacode, by: "edit", closed: "paused" }]);
  expect(await findEndUsers(ctx, typed)).toMatchObject([{ note: `${metacode}, one character away, paused` }]);
  await updateMetacode(ctx, other, `${metacode}y`);
  expect(await meant()).toMatchObject([{ id: other, by: "edit", closed: undefined }]);
});

test("a mistyped former metacode names its referrer, who still invites with it", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { referrer_id: id } = (await api.referrer("ann")).body;
  await updateMetacode(tenant.ctx, id, "greta");
  const mistyped = `${metacode}2`;
  await api.redeem("eve", mistyped);
  await flushRequests();
  expect(await listRequestsOf(tenant.ctx, ["eve"])).toMatchObject([
    { nearest: { id, metacode, by: "edit" } },
  ]);
  expect(await findEndUsers(tenant.ctx, mistyped)).toMatchObject([
    { id, note: `${metacode}, one character away` },
  ]);
});

test("a metacode that was typed with a sign, an umlaut or a whole link is shown like that, beside the one that was meant", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { referrer_id: id } = (await api.referrer("ann")).body;
  const link = `https://go.example.com/r/${metacode.toUpperCase()}?click_id=1`;
  const typed = [
    `${metacode}.`,
    `${metacode.slice(0, -1)}ß`,
    ` ${metacode.toUpperCase()} !`,
    link,
    "\0ä".repeat(99),
  ];
  for (const text of typed) expect((await api.redeem("eve", text)).status).toBe(404);
  expect((await api.redeem("eve", ` ${metacode.toUpperCase()}`)).status).toBe(200);
  await flushRequests();
  const requests = (await listRequestsOf(tenant.ctx, ["eve"])).reverse();
  expect(requests.map((request) => [request.metacode, request.nearest?.id, request.nearest?.by])).toEqual([
    [`${metacode}.`, id, "edit"],
    [`${metacode.slice(0, -1)}ß`, id, "edit"],
    [` ${metacode.toUpperCase()} !`, id, "edit"],
    [link, id, "active"],
    ["ä".repeat(64), undefined, undefined],
    [` ${metacode.toUpperCase()}`, id, "accepted"],
  ]);
});

test("a metacode in the body of a request that takes none is not stored", async () => {
  const { tenant } = await referringTenant();
  await postToApi("referrer", { uid: "eve", metacode: "typed" }, tenant.key);
  await flushRequests();
  expect(await listRequestsOf(tenant.ctx, ["eve"])).toMatchObject([{ status: 200, metacode: null }]);
});

test("an API key that was pasted as a user id or a metacode is not stored with its request", async () => {
  const { tenant, api, metacode } = await referringTenant();
  const { key } = tenant;
  for (const platform of ["IOS", "ios"]) {
    await api.redeem(key, "nothing2", platform);
    await api.redeem("eve", `x ${key}`, platform);
    await api.redeem(`eve ${key}`, metacode, platform);
  }
  await flushRequests();
  const rows = await tenant.ctx.db.orm
    .select()
    .from(requestSubjects)
    .where(eq(requestSubjects.appId, tenant.ctx.app.id));
  expect(JSON.stringify(rows)).not.toContain(key.slice(8, -4));
  const masked = `${key.slice(0, 8)}[removed]`;
  const named = rows.map((row) => row.uid);
  for (const uid of [masked, "eve", `eve ${masked}`])
    expect(named.filter((other) => other === uid)).toHaveLength(2);
  expect(rows.filter((row) => row.metacode === `x ${masked}`)).toHaveLength(2);
});

test("a user who waits although codes are free has had a code of each of their offers, and the page says so", async () => {
  const { tenant, api, metacode } = await referringTenant({ codes: 0 });
  const { ctx, pools } = tenant;
  const shown = async () => {
    const person = await getPerson(ctx, "ben");
    return renderToStaticMarkup(createElement(PersonFacts, { base: "", person }));
  };
  await ctx.db.orm.execute(
    sql`insert into offer_takers (app_id, platform, offer, uid) values (${ctx.app.id}, 'ios', 'Month', 'ben')`,
  );
  expect((await api.redeem("ben", metacode)).status).toBe(503);
  expect(await shown()).not.toContain("another offer");
  await makeBatch(ctx, pools.ios.referee, "ios", { size: 1, offer: "Month" });
  expect(await shown()).toContain("the user needs one of another offer");
});
