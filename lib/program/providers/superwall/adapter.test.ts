import { expect, test } from "vitest";
import { data, readPatched } from "@/lib/testing/provider-events/patched";

const read = (type: string, fields: Record<string, unknown>) =>
  readPatched("superwall", type, data(fields)).confirmation;

test.each([
  ["initial_purchase", 9.99, "confirm"],
  ["renewal", 9.99, "confirm"],
  ["non_renewing_purchase", 9.99, "confirm"],
  ["cancellation", -9.99, "reverse"],
  ["initial_purchase", 0, "ignore"],
  ["initial_purchase", null, "ignore"],
  ["renewal", 0, "ignore"],
])("a family's %s at a price of %s, which only its organiser pays: %s", (type, price, kind) => {
  expect(read(type, { isFamilyShare: true, price }).kind).toBe(kind);
});
