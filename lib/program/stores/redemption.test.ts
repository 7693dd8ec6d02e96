import { expect, test } from "vitest";
import { redemptionOf } from "./redemption";

const item = { code: "A B", instructions: null };
const app = { appleAppId: "1234567890", androidPackage: "com.example.fitness" };
const none = { appleAppId: null, androidPackage: null };

test.each([
  ["ios", "one_time", app, "https://apps.apple.com/redeem?ctx=offercodes&id=1234567890&code=A%20B"],
  ["ios", "one_time", none, "https://apps.apple.com/redeem?code=A%20B"],
  ["android", "one_time", app, "https://play.google.com/redeem?code=A%20B"],
  ["android", "custom", app, "https://play.google.com/store/apps/details?id=com.example.fitness"],
  ["android", "custom", none, "https://play.google.com/store/apps"],
] as const)("%s, a %s code with %j leads to %s", (platform, kind, ids, expected) => {
  const { storeUrl } = redemptionOf({ ...item, ...ids, platform, kind }, "Fitness");
  expect(storeUrl).toBe(expected);
  expect([...new URL(storeUrl).searchParams.values()]).not.toContain("");
});
