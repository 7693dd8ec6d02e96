import { expect, test } from "vitest";
import { clientOf } from "@/lib/testing/client";
import { statementsOf } from "@/lib/testing/database/statements";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";

useService();

const called = (name: string) => [expect.stringMatching(new RegExp(`^select ${name}\\(`))];

test.each([["free"], ["pro"]] as const)("one round trip a request on the %s plan", async (plan) => {
  const { key } = await makeTenant({ plan });
  const api = clientOf(key);
  const { metacode } = (await api.referrer("ann")).body;
  // The first requests of a process fetch the key and, on large plans, a share of the quota.
  await api.referrer("ann");
  await api.redeem("first", metacode);
  expect(await statementsOf(() => api.referrer("ann"))).toEqual(called("get_referrer"));
  expect(await statementsOf(() => api.redeem("bob", metacode))).toEqual(called("redeem_metacode"));
  expect(await statementsOf(() => api.claim("ann"))).toEqual(called("claim_rewards"));
  expect(await statementsOf(() => api.redeem("bob", "test123"))).toEqual(
    plan === "free" ? called("take_quota") : [],
  );
});

test("a share of a large quota costs one more statement in 50 requests", async () => {
  const { key } = await makeTenant({ plan: "pro" });
  const api = clientOf(key);
  await api.referrer("ann");
  await api.referrer("ann");
  const statements = await statementsOf(async () => {
    for (let request = 0; request < 200; request++) await api.referrer("ann");
  });
  expect(statements.filter((text) => text.includes("get_referrer"))).toHaveLength(200);
  expect(statements.filter((text) => text.includes("take_quota")).length).toBeLessThanOrEqual(5);
  expect(statements.length).toBeLessThanOrEqual(205);
});

test("a refused key costs none", async () => {
  const { key } = await makeTenant();
  const last = key.at(-1) === "0" ? "1" : "0";
  const statements = await statementsOf(() => clientOf(key.slice(0, -1) + last).referrer("ann"));
  expect(statements).toEqual([]);
});
