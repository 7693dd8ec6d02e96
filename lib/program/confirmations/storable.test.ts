import { expect, test } from "vitest";
import {
  isStorableUid,
  storableEventId,
  storableJson,
  storableType,
  storableUids,
} from "@/lib/program/confirmations/storable";

test("values that jsonb refuses are replaced, all others stay", () => {
  const value = JSON.parse(
    '{"a\\u0000":"x\\u0000y","b":["\\ud800",1,null,true],"__proto__":{"c":"\\u0000"},"d":"\u{1F600}"}',
  );
  expect(JSON.stringify(storableJson(value))).toBe(
    '{"a\u{FFFD}":"x\u{FFFD}y","b":["\u{FFFD}",1,null,true],"__proto__":{"c":"\u{FFFD}"},"d":"\u{1F600}"}',
  );
});

test("a value nested 100,000 deep is cut and not refused", () => {
  const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
  expect(JSON.stringify(storableJson(deep))).toBe(`${"[".repeat(64)}null${"]".repeat(64)}`);
});

test("ids of events are unchanged, or become a hash that distinguishes them", () => {
  expect(storableEventId("a".repeat(255))).toBe("a".repeat(255));
  const hashed = ["a".repeat(256), "a".repeat(257), "\0", "\ud800", "\ud801"].map(storableEventId);
  expect(new Set(hashed).size).toBe(5);
  for (const id of hashed) expect(id).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test("a type is cut, also in the middle of a character", () => {
  expect(storableType(`${"x".repeat(99)}\u{1F600}`)).toBe(`${"x".repeat(99)}\u{FFFD}`);
});

test.each([
  ["a", true],
  [" ", true],
  ["\u{1F600}".repeat(255), true],
  ["\u{1F600}".repeat(256), false],
  ["a".repeat(256), false],
  ["", false],
  ["a\0", false],
  ["\udc00", false],
])("uid %j: %s", (uid, expected) => {
  expect(isStorableUid(uid)).toBe(expected);
});

test("at most 50 ids are looked up, in their order", () => {
  const uids = Array.from({ length: 60 }, (_, index) => `u${index}`);
  expect(storableUids(["", ...uids])).toEqual(uids.slice(0, 50));
});
