import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { database } from "@/lib/platform/db/client";
import { clicks, referrals, referrers } from "@/lib/platform/db/schema";
import { forgetSingleton } from "@/lib/platform/singleton";
import { ClickBuffer } from "@/lib/program/clicks/buffer";
import { flushClicks } from "@/lib/program/clicks/record-click";
import { dailySalt, today, visitorHash } from "@/lib/program/clicks/visitor";
import { releaseRedemption } from "@/lib/program/referrals/by-hand";
import { clientOf } from "@/lib/testing/client";
import { stopClock } from "@/lib/testing/clock";
import { openPage, seePage, sendClick } from "@/lib/testing/landing";
import { useService } from "@/lib/testing/service";
import { referralIdOf } from "@/lib/testing/support";
import { makeTenant } from "@/lib/testing/tenant";
import { DESKTOP_AGENT, IPHONE_AGENT, PIXEL_AGENT } from "@/lib/testing/user-agents";

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

const from = (address: string, userAgent = PIXEL_AGENT) => ({
  "x-forwarded-for": address,
  "user-agent": userAgent,
});

test("one visitor is one click a day, whatever the letter case of the link", async () => {
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
  await seePage(metacode, from("203.0.113.1", IPHONE_AGENT));
  await seePage(other, from("203.0.113.1"));
  const rows = await stored();
  expect(rows).toHaveLength(4);
  expect(new Set(rows.map((row) => row.visitor.toString("hex"))).size).toBe(4);
});

test("one address with many user agents fills neither the table nor the count", async () => {
  stopClock();
  const { metacode, stored } = await inviting();
  for (let name = 0; name < 130; name++)
    await sendClick(metacode, from("203.0.113.3", `${PIXEL_AGENT} ${name}`));
  expect(await stored()).toHaveLength(120);
  await sendClick(metacode, from("203.0.113.4"));
  expect(await stored()).toHaveLength(121);
});

const NOT_SEEN: [string, Record<string, string>][] = [
  ["a preview", { "user-agent": "WhatsApp/2" }],
  ["no browser", { "user-agent": "" }],
];

test.each(NOT_SEEN)("%s leaves no trace and gets no click id", async (_, headers) => {
  const { metacode, stored } = await inviting();
  const { status, clickId } = await openPage(metacode, headers);
  expect([status, clickId]).toEqual([200, undefined]);
  expect((await sendClick(metacode, headers)).status).toBe(204);
  expect((await sendClick(metacode, headers, "GET")).status).toBe(200);
  expect(await stored()).toEqual([]);
});

test("a prefetched page is a click only once it is seen", async () => {
  const { metacode, stored } = await inviting();
  const ahead = { "sec-purpose": "prefetch;prerender" };
  const { html, clickId } = await openPage(metacode, ahead);
  expect(html).toContain(`data-click="/r/${metacode}/click"`);
  await sendClick(metacode, ahead);
  await sendClick(metacode, ahead, "GET");
  expect(await stored()).toEqual([]);
  await sendClick(metacode);
  expect(await stored()).toMatchObject([{ id: clickId }]);
});

test("a page that was fetched but not seen is not a click, and neither is HEAD", async () => {
  const { metacode, stored } = await inviting();
  expect((await openPage(metacode)).clickId).toBeDefined();
  expect((await openPage(metacode, {}, "HEAD")).status).toBe(200);
  expect(await stored()).toEqual([]);
});

test("without script the picture counts, under the id that the page's links carry", async () => {
  const { metacode, stored } = await inviting();
  const { clickId, html } = await openPage(metacode);
  expect(html).toContain(`<noscript><img src="/r/${metacode}/click"`);
  const picture = await sendClick(metacode, { "sec-fetch-dest": "image" }, "GET");
  expect(picture.headers.get("content-type")).toBe("image/gif");
  expect(await stored()).toMatchObject([{ id: clickId }]);
});

test.each([
  ["another site's page", "POST", { "sec-fetch-site": "cross-site" }],
  ["a picture in another site's page", "GET", { "sec-fetch-site": "cross-site", "sec-fetch-dest": "image" }],
  ["a visitor of the picture's own address", "GET", { "sec-fetch-dest": "document" }],
])("%s counts nothing", async (_, method, headers) => {
  const { metacode, stored } = await inviting();
  expect((await sendClick(metacode, headers, method)).ok).toBe(true);
  expect(await stored()).toEqual([]);
});

test("a closed or unknown invitation counts nothing and reveals nothing", async () => {
  const { tenant, metacode, stored } = await inviting();
  await database()
    .orm.update(referrers)
    .set({ status: "paused" })
    .where(eq(referrers.appId, tenant.ctx.app.id));
  expect((await sendClick(metacode)).status).toBe(204);
  expect((await sendClick("zzzzzzzz")).status).toBe(204);
  expect(await stored()).toEqual([]);
});

test("the link to Google Play carries the click, and redeem moves it on", async () => {
  const { tenant, api, metacode, stored } = await inviting();
  const { clickId, html } = await seePage(metacode, from("203.0.113.9", DESKTOP_AGENT));
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
  const [first, second] = [new ClickBuffer(database), new ClickBuffer(database)];
  const id = first.add(visit);
  await first.flush();
  expect(second.add(visit)).toBe(id);
  await second.flush();
  expect(await stored()).toMatchObject([{ id }]);
});

test("a click whose redemption was released is not counted again, and a second redemption does not get its id", async () => {
  const { tenant, api, metacode, referrerId, stored } = await inviting();
  const visit = { appId: tenant.ctx.app.id, referrerId, visitor: Buffer.alloc(16, 5) };
  const [first, second] = [new ClickBuffer(database), new ClickBuffer(database)];
  const id = first.add(visit);
  await first.flush();
  await api.redeem("bob", metacode, "ios", { click_id: id });
  await releaseRedemption(tenant.ctx, { referralId: id, reason: "Wrong friend" });
  expect(second.add(visit)).toBe(id);
  await second.flush();
  expect(await stored()).toEqual([]);
  expect((await api.redeem("bob", metacode, "ios", { click_id: id })).status).toBe(200);
  expect(await referralIdOf(tenant.ctx, "bob")).not.toBe(id);
});

test("a redeem that overtakes the click gets its own event, and the click still counts", async () => {
  const { tenant, api, metacode, referrerId, stored } = await inviting();
  // Stops the buffer's own timer.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const buffer = new ClickBuffer(database);
  const id = buffer.add({ appId: tenant.ctx.app.id, referrerId, visitor: Buffer.alloc(16, 3) });
  vi.useRealTimers();
  expect((await api.redeem("bob", metacode, "ios", { click_id: id })).status).toBe(200);
  await buffer.flush();
  const events = await database().orm.select().from(referrals).where(eq(referrals.appId, tenant.ctx.app.id));
  expect(events).toMatchObject([{ id: expect.not.stringMatching(id), clickedAt: null }]);
  expect(await stored()).toMatchObject([{ id }]);
});

test("two referees with one click, and a referee with another's click, each get their own event", async () => {
  const { api, metacode } = await inviting();
  const { clickId } = await seePage(metacode, from("203.0.113.77", DESKTOP_AGENT));
  const other = (await api.referrer("zoe")).body.metacode;
  const replies = await Promise.all([
    ...["b1", "b2", "b3"].map((uid) => api.redeem(uid, metacode, "ios", { click_id: clickId })),
    api.redeem("b4", other, "ios", { click_id: clickId }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test("five hundred clicks take one statement", async () => {
  const { tenant, referrerId, stored } = await inviting();
  const call = vi.spyOn(database(), "call");
  const buffer = new ClickBuffer(database);
  for (let index = 0; index < 500; index += 1) {
    buffer.add({ appId: tenant.ctx.app.id, referrerId, visitor: Buffer.from(randomUUID()) });
  }
  await buffer.flush();
  const mine = call.mock.calls.filter(([, args]) => (args as { app?: string }).app === tenant.ctx.app.id);
  // The log of the tenant's own requests is written once a second, possibly right now.
  const names = mine.map(([entry]) => entry.name).filter((name) => name !== "store_requests");
  expect(names).toEqual(["store_clicks"]);
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
  const day = today();
  const mine = await dailySalt(db, day);
  forgetSingleton("clicks.salts");
  expect(await dailySalt(db, day)).toEqual(mine);
  expect(await dailySalt(db, "2020-01-01")).not.toEqual(mine);
  expect(mine).toHaveLength(32);
});

test("the hash depends on every part and reveals none of them", () => {
  const salt = Buffer.alloc(32, 1);
  const parts = ["203.0.113.1", PIXEL_AGENT, "abcd2345"] as const;
  const hash = visitorHash(salt, ...parts);
  expect(hash).toHaveLength(16);
  expect(visitorHash(Buffer.alloc(32, 2), ...parts)).not.toEqual(hash);
  expect(visitorHash(salt, "203.0.113.2", PIXEL_AGENT, "abcd2345")).not.toEqual(hash);
  expect(visitorHash(salt, "203.0.113.1", `${PIXEL_AGENT}x`, "abcd2345")).not.toEqual(hash);
  expect(visitorHash(salt, "203.0.113.1", PIXEL_AGENT, "abcd2346")).not.toEqual(hash);
});
