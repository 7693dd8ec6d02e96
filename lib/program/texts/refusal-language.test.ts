import { expect, test } from "vitest";
import { referringTenant } from "@/lib/testing/referring-tenant";
import { useService } from "@/lib/testing/service";
import { API_MESSAGES } from "./api-texts";
import { updateOwnTexts } from "./own-texts";

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

test("the app's name does not turn an owner's text from right to left, as the inviter's does not", async () => {
  const { tenant, api, metacode } = await referringTenant({ app: { name: "Fit+" } });
  await updateOwnTexts(tenant.ctx, {
    language: "he",
    redeemIos: "פתחו את {app}",
    referredBy: "{inviter} ב־{app}",
  });
  const { body } = await api.redeem("bob", metacode, "ios", {}, accept("he"));
  expect(body.instructions).toBe("פתחו את \u2068Fit+\u2069");
  expect(body.referrer_info.message).toBe(`\u2068${metacode}\u2069 ב־\u2068Fit+\u2069`);
});
