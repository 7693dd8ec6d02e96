import { expect, test } from "vitest";
import { superwall } from "@/lib/program/providers/superwall/adapter";
import { data, readPatched } from "@/lib/testing/provider-events/patched";

const read = (type: string, fields: Record<string, unknown>) =>
  readPatched("superwall", type, data(fields)).confirmation;

test.each([
  ["initial_purchase", 9.99, "confirm"],
  ["renewal", 9.99, "confirm"],
  ["cancellation", -9.99, "reverse"],
  ["initial_purchase", 0, "ignore"],
  ["initial_purchase", null, "ignore"],
  ["renewal", 0, "ignore"],
])("a family's %s at a price of %s, which only its organiser pays: %s", (type, price, kind) => {
  expect(read(type, { isFamilyShare: true, price }).kind).toBe(kind);
});

test.each([
  ["product_change", "ignore"],
  ["initial_purchase", "reverse"],
  ["expiration", "reverse"],
])("a %s at a price below 0 is a refund unless it is a change of plan: %s", (type, kind) => {
  expect(read(type, { price: -3.21 }).kind).toBe(kind);
});

test.each([
  [
    { periodType: "TRIAL", price: 9.99 },
    { paid: true, renewal: false },
  ],
  [
    { periodType: "INTRO", price: 4.99 },
    { paid: true, renewal: true },
  ],
  [
    { periodType: "TRIAL", price: 0 },
    { paid: false, renewal: false },
  ],
  [
    { periodType: "TRIAL", price: null },
    { paid: false, renewal: false },
  ],
  [
    { periodType: "NORMAL", price: 9.99 },
    { paid: true, renewal: true },
  ],
])("a renewal with %j is the conversion of a trial unless its period is another: %j", (fields, expected) => {
  expect(read("renewal", { isTrialConversion: false, ...fields })).toMatchObject(expected);
});

test.each([
  { object: "event", type: "test" },
  { type: "test", data: null },
  { type: "test", data: { price: -9.99, originalAppUserId: "a" } },
])("the test event %j of Superwall's dashboard is read and changes nothing", (body) => {
  const rawBody = new TextEncoder().encode(JSON.stringify(body));
  const event = superwall.read({ headers: new Headers(), rawBody });
  expect(event).toMatchObject({ type: "test", uids: [], confirmation: { kind: "ignore" } });
});

test("an event of another type without its data is refused", () => {
  const rawBody = new TextEncoder().encode('{"type":"renewal"}');
  expect(() => superwall.read({ headers: new Headers(), rawBody })).toThrow("`data` must be an object");
});

test("a UUID matches in capitals and in lower case, because StoreKit, which carries it, keeps no case", () => {
  const [small, capital] = ["7e3fb20b-4cdb-47cc-936d-99d65f608138", "7E3FB20B-4CDB-47CC-936D-99D65F608138"];
  const uids = (originalAppUserId: string) =>
    readPatched("superwall", "initial_purchase", data({ originalAppUserId })).uids;
  expect(uids(small)).toEqual([small, capital]);
  expect(uids(capital)).toEqual([capital, small]);
  expect(uids("User-1")).toEqual(["User-1"]);
});
