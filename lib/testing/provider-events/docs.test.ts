import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PROVIDERS } from "@/lib/program/providers/registry";
import { missingFrom, proofTable, providerSection } from "@/lib/testing/provider-events/docs";

test("docs/providers.md and the dashboard agree about every provider", () => {
  expect(missingFrom(readFileSync("docs/providers.md", "utf8"))).toEqual([]);
});

test("a provider that the page omits or describes differently is found", () => {
  const page = `${proofTable()}\n${providerSection("apple")}`;
  const labels = Object.values(PROVIDERS).map(({ label }) => label);
  expect(missingFrom(page)).toEqual(labels.filter((label) => label !== "Apple App Store"));
  expect(missingFrom(page.replace("OFFER_REDEEMED", "X"))).toContain("Apple App Store");
});

test("Adapty's start within an old chain confirms with an offer code, and its row excepts that", () => {
  const row = providerSection("adapty")
    .split("\n")
    .find((line) => line.includes("original_transaction_id"));
  expect(row).toContain("no `store_offer_category` `offer_code` | confirms only where");
});
