import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { ClickBuffer } from "@/lib/clicks/buffer";
import { dailySalt, today } from "@/lib/clicks/daily-salt";
import { flushClicks } from "@/lib/clicks/record-click";
import { visitorHash } from "@/lib/clicks/visitor";
import { database } from "@/lib/db/client";
import { clicks, referrals, referrers } from "@/lib/db/schema";
import { forget } from "@/lib/shared";
import { clientOf } from "@/lib/testing/client";
import { DESKTOP, IPHONE, openPage, PIXEL, seePage, tellClick } from "@/lib/testing/landing";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService({ TRUSTED_PROXIES: "1" });

async function inviting() {
  const tenant = await makeTenant();
  const api = clientOf(tenant.key);
  const { metacode, referrer_id } = (await api.referrer("ann")).body;
  const stored = async () => {
    await flushClicks();
    return database().orm.select().from(clicks).where(eq(clicks.appId, tenant.ctx.app.id));
  };
  return { tenant, api, metacode: metacode as string, referrerId: referrer_id as string, stored };
}

const from = (address: string, userAgent = PIXEL) => ({
  "x-forwarded-for": address,
  "user-agent": userAgent,
});

test("one visitor is one click a day, whatever the case of the link", async () => {
  const { metacode, referrerId, stored } = await inviting();
  const first = await seePage(metacode, from("203.0.113.1"));
  const again = await seePage(metacode.toUpperCase(), from("203.0.113.1"));
  expect(again.clickId).toBe(first.clickId);
  expect(await stored()).toMatchObject([{ id: first.clickId, referrerId }]);
});

test("another address, another browser and another link are other visitors", async () => {
  const { api, metacode, stored } = await inviting();
  const { metacode: other } = (await api.referrer("eve")).body;
  await seePage(metacode, from("203.0.113.1"));
  await seePage(metacode, from("203.0.113.2"));
  await seePage(metacode, from("203.0.113.1", IPHONE));
  await seePage(other, from("203.0.113.1"));
  const rows = await stored();
  expect(rows).toHaveLength(4);
  expect(new Set(rows.map((row) => row.visitor.toString("hex"))).size).toBe(4);
});

test("one address under many names fills neither the table nor the count", async () => {
  const { metacode, stored } = await inviting();
  for (let name = 0; name < 130; name++) await tellClick(metacode, from("203.0.113.3", `${PIXEL} ${name}`));
  expect(await stored()).toHaveLength(120);
  await tellClick(metacode, from("203.0.113.4"));
  expect(await stored()).toHaveLength(121);
});

const NOT_SEEN: [string, Record<string, string>][] = [
  ["a preview", { "user-agent": "WhatsApp/2" }],
  ["nobody", { "user-agent": "" }],
];

test.each(NOT_SEEN)("%s leaves no trace and gets no click id, whatever it fetches", async (_, headers) => {
  const { metacode, stored } = await inviting();
  const { status, clickId } = await openPage(metacode, headers);
  expect([status, clickId]).toEqual([200, undefined]);
  expect((await tellClick(metacode, headers)).status).toBe(204);
  expect((await tellClick(metacode, headers, "GET")).status).toBe(200);
  expect(await stored()).toEqual([]);
});

test("a page read ahead is no click, and one like any other once it is seen", async () => {
  const { metacode, stored } = await inviting();
  const ahead = { "sec-purpose": "prefetch;prerender" };
  const { html, clickId } = await openPage(metacode, ahead);
  expect(html).toContain(`data-click="/r/${metacode}/click"`);
  await tellClick(metacode, ahead);
  await tellClick(metacode, ahead, "GET");
  expect(await stored()).toEqual([]);
  await tellClick(metacode);
  expect(await stored()).toMatchObject([{ id: clickId }]);
});

test("a page that was fetched and not seen is no click; HEAD is none either", async () => {
  const { metacode, stored } = await inviting();
  expect((await openPage(metacode)).clickId).toBeDefined();
  expect((await openPage(metacode, {}, "HEAD")).status).toBe(200);
  expect(await stored()).toEqual([]);
});

test("without script the picture counts, under the id that the page's links carry", async () => {
  const { metacode, stored } = await inviting();
  const { clickId, html } = await openPage(metacode);
  expect(html).toContain(`<noscript><img src="/r/${metacode}/click"`);
  const picture = await tellClick(metacode, { "sec-fetch-dest": "image" }, "GET");
  expect(picture.headers.get("content-type")).toBe("image/gif");
  expect(await stored()).toMatchObject([{ id: clickId }]);
});

test.each([
  ["another site's page", "POST", { "sec-fetch-site": "cross-site" }],
  ["a picture in another site's page", "GET", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" }],
  ["somebody who opens the picture's address", "GET", { "sec-fetch-dest": "document" }],
])("%s counts nothing", async (_, method, headers) => {
  const { metacode, stored } = await inviting();
  expect((await tellClick(metacode, headers, method)).ok).toBe(true);
  expect(await stored()).toEqual([]);
});

test("a closed or unknown invitation counts nothing, and tells nothing of itself", async () => {
  const { tenant, metacode, stored } = await inviting();
  await database()
    .orm.update(referrers)
    .set({ status: "paused" })
    .where(eq(referrers.appId, tenant.ctx.app.id));
  expect((await tellClick(metacode)).status).toBe(204);
  expect((await tellClick("zzzzzzzz")).status).toBe(204);
  expect(await stored()).toEqual([]);
});

test("the link to Google Play carries the click, and redeem moves it on", async () => {
  const { tenant, api, metacode, stored } = await inviting();
  const { clickId, html } = await seePage(metacode, from("203.0.113.9", DESKTOP));
  expect(html).toContain(`referrer=metacode%3D${metacode}%26click_id%3D${clickId}`);
  expect(await stored()).toHaveLength(1);
  expect((await api.redeem("bob", metacode, "android", { click_id: clickId })).status).toBe(200);
  expect(await stored()).toEqual([]);
  const [event] = await database().orm.select().from(referrals).where(eq(referrals.appId, tenant.ctx.app.id));
  expect(event).toMatchObject({ id: clickId, refereeUid: "bob", status: "code_assigned" });
  expect(event?.clickedAt).toBeInstanceOf(Date);
});

test("two processes count a visitor once, under the same click", async () => {
  const { tenant, referrerId, stored } = await inviting();
  const visit = { appId: tenant.ctx.app.id, referrerId, visitor: Buffer.alloc(16, 7) };
  const [one, other] = [new ClickBuffer(database), new ClickBuffer(database)];
  const first = one.add(visit);
  await one.flush();
  expect(other.add(visit)).toBe(first);
  await other.flush();
  expect(await stored()).toMatchObject([{ id: first }]);
});

test("a referee who redeems before the click is written goes on under its id", async () => {
  const { tenant, api, metacode, referrerId, stored } = await inviting();
  const buffer = new ClickBuffer(database);
  const id = buffer.add({ appId: tenant.ctx.app.id, referrerId, visitor: Buffer.alloc(16, 3) });
  expect((await api.redeem("bob", metacode, "ios", { click_id: id })).status).toBe(200);
  const event = async () => {
    const rows = database().orm.select().from(referrals).where(eq(referrals.appId, tenant.ctx.app.id));
    return (await rows).map((row) => [row.id, row.clickedAt instanceof Date]);
  };
  expect(await event()).toEqual([[id, false]]);
  await buffer.flush();
  expect(await event()).toEqual([[id, true]]);
  expect(await stored()).toEqual([]);
});

test("of two referees with one click, and of one with another's, each has an event of its own", async () => {
  const { api, metacode } = await inviting();
  const { clickId } = await seePage(metacode, from("203.0.113.77", DESKTOP));
  const other = (await api.referrer("zoe")).body.metacode;
  const replies = await Promise.all([
    ...["b1", "b2", "b3"].map((uid) => api.redeem(uid, metacode, "ios", { click_id: clickId })),
    api.redeem("b4", other, "ios", { click_id: clickId }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test("five hundred clicks are one statement", async () => {
  const { tenant, referrerId, stored } = await inviting();
  const call = vi.spyOn(database(), "call");
  const buffer = new ClickBuffer(database);
  for (let index = 0; index < 500; index += 1) {
    buffer.add({ appId: tenant.ctx.app.id, referrerId, visitor: Buffer.from(randomUUID()) });
  }
  await buffer.flush();
  const mine = call.mock.calls.filter(([, [app]]) => app === tenant.ctx.app.id);
  expect(mine.map(([name]) => name)).toEqual(["store_clicks"]);
  call.mockRestore();
  expect(await stored()).toHaveLength(500);
});

test("clicks wait while the database is away", async () => {
  const { tenant, referrerId, stored } = await inviting();
  const real = database();
  let away = true;
  const refuse = () => Promise.reject(Object.assign(new Error("away"), { code: "ECONNREFUSED" }));
  const buffer = new ClickBuffer(() => (away ? { ...real, call: refuse } : real));
  const id = buffer.add({ appId: tenant.ctx.app.id, referrerId, visitor: Buffer.alloc(16, 1) });
  await buffer.flush();
  expect(await stored()).toEqual([]);
  away = false;
  await buffer.flush();
  expect(await stored()).toMatchObject([{ id }]);
});

test("processes agree on a day's salt and on no other day's", async () => {
  const db = database();
  const mine = await dailySalt(db, today());
  forget("clicks.salts");
  expect(await dailySalt(db, today())).toEqual(mine);
  expect(await dailySalt(db, "2020-01-01")).not.toEqual(mine);
  expect(mine).toHaveLength(32);
});

test("the hash depends on every part and keeps none of them", () => {
  const salt = Buffer.alloc(32, 1);
  const parts = ["203.0.113.1", PIXEL, "abcd2345"] as const;
  const hash = visitorHash(salt, ...parts);
  expect(hash).toHaveLength(16);
  expect(visitorHash(Buffer.alloc(32, 2), ...parts)).not.toEqual(hash);
  expect(visitorHash(salt, "203.0.113.2", PIXEL, "abcd2345")).not.toEqual(hash);
  expect(visitorHash(salt, "203.0.113.1", `${PIXEL}x`, "abcd2345")).not.toEqual(hash);
  expect(visitorHash(salt, "203.0.113.1", PIXEL, "abcd2346")).not.toEqual(hash);
});
