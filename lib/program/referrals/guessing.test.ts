import { and, eq } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { apiKeys, referrers } from "@/lib/platform/db/schema";
import { SLOW_LOOKUPS_PER_MINUTE } from "@/lib/platform/limits/key-limits";
import { insertKey } from "@/lib/tenants/api-keys/create";
import { keyCache } from "@/lib/tenants/api-keys/verify";
import { returnUnused } from "@/lib/tenants/quota/lease";
import { type ApiReply, clientOf } from "@/lib/testing/client";
import { stopClock } from "@/lib/testing/clock";
import { usedBy } from "@/lib/testing/quota";
import { useService } from "@/lib/testing/service";
import { makeTenant, type Tenant } from "@/lib/testing/tenant";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";

const PER_USER = 2;
const PER_ADDRESS = 5;
const PER_KEY = 8;
useService({
  USER_UNKNOWN_METACODES_PER_HOUR: String(PER_USER),
  ADDRESS_UNKNOWN_METACODES_PER_HOUR: String(PER_ADDRESS),
  KEY_UNKNOWN_METACODES_PER_HOUR: String(PER_KEY),
});

let tenant: Tenant;
let metacode: string;

beforeEach(async () => {
  stopClock();
  tenant = await makeTenant({ codes: 40, plan: "free" });
  metacode = (await clientOf(tenant.key).referrer("ann")).body.metacode;
});

const redeemFrom = (key: string, uid: string, tried: string, address = "192.0.2.7") =>
  clientOf(key).redeem(uid, tried, "ios", {}, { [CLIENT_ADDRESS_HEADER]: `${addressToken()}${address}` });

/** Makes `count` tries with unknown metacodes, each by another made-up user. */
async function guesses(key: string, count: number): Promise<ApiReply[]> {
  const replies: ApiReply[] = [];
  for (let n = 0; n < count; n++) replies.push(await redeemFrom(key, `made-up-${n}-${count}`, "zzzzzzzz"));
  return replies;
}

const guess = async (key: string, count: number) => (await guesses(key, count)).map(({ status }) => status);

describe("an end user", () => {
  test("who guesses too often is refused, and other users of the same server are not", async () => {
    for (let n = 0; n < PER_USER; n++) {
      expect((await redeemFrom(tenant.key, "bob", "zzzzzzzz")).status).toBe(404);
    }
    expect((await redeemFrom(tenant.key, "bob", metacode)).status).toBe(429);
    expect((await redeemFrom(tenant.key, "cid", metacode)).status).toBe(200);
  });

  test("is not refused for guesses that a stranger made with their uid from another address", async () => {
    for (let n = 0; n < PER_USER; n++) await redeemFrom(tenant.key, "bob", "zzzzzzzz", "2001:db8::1");
    expect((await redeemFrom(tenant.key, "bob", metacode, "2001:db8::2")).status).toBe(429);
    expect((await redeemFrom(tenant.key, "bob", metacode, "2001:db8:0:1::1")).status).toBe(200);
  });

  test("gets the numbers of the limit that refused", async () => {
    for (let n = 0; n < PER_USER; n++) await redeemFrom(tenant.key, "bob", "zzzzzzzz");
    const { status, headers, body } = await redeemFrom(tenant.key, "bob", metacode);
    expect(body.error.message).toMatch(/, try again in (an?|\d+) (minute|hour)s?$/);
    const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
      Number(headers.get(`x-ratelimit-${name}`)),
    );
    expect([status, limit, remaining]).toEqual([429, PER_USER, 0]);
    const now = Math.floor(Date.now() / 1000);
    expect(reset).toBeGreaterThanOrEqual(now);
    expect(reset).toBeLessThanOrEqual(now + 2 * 3_600 + 1);
  });
});

describe("a server's key", () => {
  test("never refuses a live metacode, however many users mistyped theirs", async () => {
    const statuses = await guess(tenant.key, PER_KEY + 20);
    expect(statuses.slice(0, PER_KEY)).toEqual(Array(PER_KEY).fill(404));
    expect(new Set(statuses.slice(PER_KEY))).toEqual(new Set([429]));
    expect((await redeemFrom(tenant.key, "honest", metacode)).status).toBe(200);
  });

  test("takes no unit of the quota for an unknown metacode beyond the limit", async () => {
    const counted = async () => {
      await returnUnused(true, tenant.ctx.db);
      return usedBy(tenant);
    };
    await guess(tenant.key, PER_KEY);
    const before = await counted();
    expect(new Set(await guess(tenant.key, 10))).toEqual(new Set([429]));
    expect(await counted()).toBe(before);
  });

  test("gets the code by a retry of a refusal, with the same Idempotency-Key, once the metacode is live", async () => {
    await guess(tenant.key, PER_KEY);
    const paused = { appId: tenant.ctx.app.id, slug: metacode.toLowerCase() };
    const own = and(eq(referrers.appId, paused.appId), eq(referrers.slug, paused.slug));
    await tenant.ctx.db.orm.update(referrers).set({ status: "paused" }).where(own);
    const headers = { "Idempotency-Key": "one-redeem-of-bob" };
    const redeem = () => clientOf(tenant.key).redeem("bob", metacode, "ios", {}, headers);
    expect((await redeem()).status).toBe(429);
    await tenant.ctx.db.orm.update(referrers).set({ status: "active" }).where(own);
    expect((await redeem()).status).toBe(200);
  });

  test("gets a refusal again as often as it repeats the request, and is not counted for it", async () => {
    const headers = { "Idempotency-Key": "one-typo-of-bob" };
    for (let n = 0; n < PER_KEY + 2; n++) {
      const { status } = await clientOf(tenant.key).redeem("typo", "zzzzzzzz", "ios", {}, headers);
      expect(status).toBe(404);
    }
  });

  test("is allowed no more errors for a response that is repeated", async () => {
    const headers = { "Idempotency-Key": "one-redeem-of-a-friend" };
    const repeat = () => clientOf(tenant.key).redeem("friend", metacode, "ios", {}, headers);
    const statuses: number[] = [];
    for (let n = 0; n < PER_KEY + 4; n++) {
      expect((await repeat()).status).toBe(200);
      statuses.push((await redeemFrom(tenant.key, `typo-${n}`, "zzzzzzzz")).status);
    }
    expect(statuses).toEqual([...Array(PER_KEY).fill(404), ...Array(4).fill(429)]);
  });

  test("is allowed one more error for every metacode that exists", async () => {
    for (let n = 0; n < 2 * PER_KEY; n++) {
      expect((await redeemFrom(tenant.key, `friend-${n}`, metacode)).status).toBe(200);
      expect((await redeemFrom(tenant.key, `typo-${n}`, "zzzzzzzz")).status).toBe(404);
    }
  });
});

describe("a phone's key", () => {
  const phoneKey = async () =>
    (await insertKey(tenant.ctx, "Phone", ["referee:redeem"], { dailyBudget: null, addressCap: 30 })).key;

  test("bounds the guesses of one address that makes up users, and leaves other addresses alone", async () => {
    const key = await phoneKey();
    const replies = await guesses(key, 100);
    const unread = replies.filter(({ body }) => body.error.message.includes("from this address"));
    expect(replies.slice(0, PER_ADDRESS).map(({ status }) => status)).toEqual(Array(PER_ADDRESS).fill(404));
    // The minute may turn once meanwhile. All others were refused without a look-up.
    expect(unread.length).toBeGreaterThanOrEqual(100 - PER_ADDRESS - 2 * SLOW_LOOKUPS_PER_MINUTE);
    expect((await redeemFrom(key, "honest", metacode, "198.51.100.1")).status).toBe(200);
  });

  test("is not slowed by typing errors, because each code of the address makes up for one", async () => {
    const key = await phoneKey();
    const tries = PER_ADDRESS + SLOW_LOOKUPS_PER_MINUTE;
    for (let n = 0; n < tries; n++) {
      expect((await redeemFrom(key, `friend-${n}`, metacode)).status).toBe(200);
      expect((await redeemFrom(key, `typo-${n}`, "zzzzzzzz")).status).toBe(404);
    }
  });

  test("makes honest users of such an address wait for seconds, not for an hour", async () => {
    const key = await phoneKey();
    await guess(key, PER_ADDRESS);
    expect((await redeemFrom(key, "honest", metacode)).status).toBe(200);
    await guess(key, 2 * SLOW_LOOKUPS_PER_MINUTE);
    const refused = await redeemFrom(key, "other", metacode);
    // Either the minute has turned, or the answer says when it will.
    if (refused.status !== 200) {
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(61);
    }
  });
});

test("lifting the limits of a key starts every count again", async () => {
  await guess(tenant.key, PER_KEY);
  expect(await guess(tenant.key, 1)).toEqual([429]);
  await tenant.ctx.db.orm.update(apiKeys).set({ limitsLiftedAt: new Date() });
  keyCache().forgetWhere(() => true);
  expect(await guess(tenant.key, 1)).toEqual([404]);
});
