import { expect, test } from "vitest";
import { createConnection } from "@/lib/program/connections/create";
import { copyCampaign } from "@/lib/testing/campaigns";
import { useService } from "@/lib/testing/service";
import { makeTenant } from "@/lib/testing/tenant";
import { findInApp } from "./find-in-app";

useService();

test("a campaign is found by the beginnings of its words, and only in its own app", async () => {
  const [mine, other] = [await makeTenant(), await makeTenant()];
  const id = await copyCampaign(mine, { name: "Bring a friend", status: "draft" });
  const found = { kind: "campaign", section: "campaigns", id, title: "Bring a friend", note: "draft" };
  expect(await findInApp(mine.ctx, "fri BR")).toEqual([found]);
  expect(await findInApp(mine.ctx, "riend")).toEqual([]);
  expect(await findInApp(other.ctx, "bring")).toEqual([]);
});

test("a provider is found whether it is connected or not, and a connection by its own name as well", async () => {
  const { ctx } = await makeTenant();
  expect(await findInApp(ctx, "revenuecat")).toEqual([
    { kind: "provider", section: "providers", id: "", title: "RevenueCat", note: "Not connected" },
  ]);
  const { id } = await createConnection(ctx, { provider: "revenuecat", name: "Subscriptions" });
  const found = { kind: "provider", section: "providers", id, title: "Subscriptions", note: "RevenueCat" };
  expect(await findInApp(ctx, "revenuecat")).toEqual([found]);
  expect(await findInApp(ctx, "subscr")).toEqual([found]);
});
