import { afterEach, beforeEach, expect, test } from "vitest";
import { database } from "@/lib/platform/db/client";
import { type AppleServer, startAppStoreConnect } from "@/lib/testing/app-store/server";
import { makeAppleTenant } from "@/lib/testing/app-store/tenant";
import { clientOf } from "@/lib/testing/client";
import { earnRewards } from "@/lib/testing/confirm";
import { workOff } from "@/lib/testing/queue";
import { useService } from "@/lib/testing/service";
import { makeBatch } from "@/lib/testing/tenant";
import { refillPools } from "./refill";
import { updateRefillRule } from "./refill-rules";
import { codeRequestQueue } from "./run-due";

useService({ AUTH_SECRET: "a".repeat(32), APP_URL: "http://localhost:3000" });

let apple: AppleServer;
beforeEach(async () => {
  apple = await startAppStoreConnect();
});
afterEach(() => apple.stop());

test("a reward that waits for another offer gets it from the refill, however many codes of the others are free", async () => {
  const tenant = await makeAppleTenant(apple);
  const { ctx, pools, key } = tenant;
  const api = clientOf(key);
  await makeBatch(ctx, pools.ios.reward, "ios", { size: 40, offer: "One month free" });
  await earnRewards(tenant, "ann", 3);
  expect((await api.claim("ann")).body.message).toContain("1 reward, 2 more wait");
  const empty = await api.claim("ann");
  expect([empty.status, empty.headers.get("retry-after")]).toEqual([503, "3600"]);
  expect((await api.referrer("ann")).body.stats).toMatchObject({ rewards_available: 2, rewards_waiting: 2 });
  await updateRefillRule(ctx, {
    ...{ poolId: pools.ios.reward, threshold: 5, amount: 20, quarterCap: 50, validDays: 90 },
    offer: "subscription:offer1",
    laterOffers: ["subscription:offer3"],
  });
  await refillPools(ctx);
  await refillPools(ctx);
  expect(await tenant.requests()).toMatchObject([
    { origin: "refill", offerName: "Half a year", state: "asked" },
  ]);
  expect(Number((await api.claim("ann")).headers.get("retry-after"))).toBeLessThanOrEqual(300);
  await workOff(codeRequestQueue(database(), tenant.work));
  await refillPools(ctx);
  expect((await api.referrer("ann")).body.stats).not.toHaveProperty("rewards_waiting");
  expect((await api.claim("ann")).body.message).toContain("1 reward, 1 more waits");
  // Every offer of the rule is had now.
  await refillPools(ctx);
  expect((await api.claim("ann")).headers.get("retry-after")).toBe("3600");
  expect(await tenant.requests()).toHaveLength(1);
});
