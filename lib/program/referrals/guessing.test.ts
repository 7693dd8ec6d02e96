import { beforeEach, expect, test } from "vitest";
import { clientOf } from "@/lib/testing/client";
import { useService } from "@/lib/testing/service";
import { makeKey, makeTenant } from "@/lib/testing/tenant";
import { addressToken, CLIENT_ADDRESS_HEADER } from "@/lib/web/http/client-address";

const LIMIT = 3;
useService({ KEY_UNKNOWN_METACODES_PER_HOUR: String(LIMIT) });

let key: string;
let metacode: string;

beforeEach(async () => {
  const tenant = await makeTenant();
  metacode = (await clientOf(tenant.key).referrer("ann")).body.metacode;
  key = await makeKey(tenant, ["referee:redeem"]);
});

const redeemFrom = (address: string, tried: string) =>
  clientOf(key).redeem("bob", tried, "ios", {}, { [CLIENT_ADDRESS_HEADER]: `${addressToken()}${address}` });

test("a guesser with many addresses of one /64 counts once and locks out no other user", async () => {
  for (let guess = 0; guess < LIMIT; guess++) {
    expect((await redeemFrom(`2001:db8::${guess}`, "zzzzzzzz")).status).toBe(404);
  }
  expect((await redeemFrom("2001:db8::ffff", metacode)).status).toBe(429);
  expect((await redeemFrom("2001:db8:0:1::1", metacode)).status).toBe(200);
});

test("the refusal tells the numbers of the limit that refused", async () => {
  for (let guess = 0; guess < LIMIT; guess++) await redeemFrom("192.0.2.7", "zzzzzzzz");
  const { status, headers } = await redeemFrom("192.0.2.7", metacode);
  const [limit, remaining, reset] = ["limit", "remaining", "reset"].map((name) =>
    Number(headers.get(`x-ratelimit-${name}`)),
  );
  expect([status, limit, remaining]).toEqual([429, LIMIT, 0]);
  const now = Math.floor(Date.now() / 1000);
  expect(reset).toBeGreaterThanOrEqual(now);
  expect(reset).toBeLessThanOrEqual(now + 2 * 3_600 + 1);
});
