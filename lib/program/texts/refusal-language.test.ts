import { expect, test } from "vitest";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { API_MESSAGES } from "./api-texts";

useService();

const accept = (language: string) => ({ "accept-language": language });

test("a refusal says the language of the response that it carries, also replayed, and no language without one", async () => {
  const { api, metacode } = await referringTenant();
  const redeem = (uid: string, headers = {}) => api.redeem(uid, metacode, "ios", {}, headers);
  await redeem("bob", accept("de"));
  const key = { "idempotency-key": "two" };
  for (const headers of [
    { ...key, ...accept("de") },
    { ...key, ...accept("fr") },
  ]) {
    const again = await redeem("bob", headers);
    expect(again.body.redemption.instructions).toBe(API_MESSAGES.de.redeemIos);
    expect(again.headers.get("content-language")).toBe("de");
  }
  expect((await redeem("bob")).headers.get("content-language")).toBe("en");
  const unknown = await api.redeem("bob", "zzzzzzzz", "ios", {}, accept("de"));
  for (const { headers } of [unknown, await api.claim("kim", accept("de"))]) {
    expect([headers.get("content-language"), headers.get("vary")]).toEqual([null, null]);
  }
});
