import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSecret, readSecret, sealedPrefix, sealSecret } from "@/lib/platform/secrets/seal";

let secret = "";
let keys: string[] = [];
vi.mock("@/lib/platform/env", () => ({
  env: () => ({ AUTH_SECRET: secret || undefined, SEALING_KEYS: keys }),
}));

beforeEach(() => {
  secret = "s".repeat(32);
  keys = [];
});
afterEach(() => vi.restoreAllMocks());

const SAMPLE = "-----BEGIN PRIVATE KEY-----\nÄ\n-----END PRIVATE KEY-----";

test("a sealed text opens in its place and reveals nothing", () => {
  const sealed = sealSecret(SAMPLE, "app_store_keys:1");
  expect(sealed).not.toMatch(/BEGIN|PRIVATE/);
  expect(openSecret(sealed, "app_store_keys:1")).toEqual({ text: SAMPLE });
  expect(sealSecret(SAMPLE, "app_store_keys:1")).not.toBe(sealed);
});

test("in another app's row it does not open", () => {
  const sealed = sealSecret(SAMPLE, "app_store_keys:1");
  expect(openSecret(sealed, "app_store_keys:2")).toEqual({ lost: "damaged" });
});

test("a key that is missing is known as such, and nothing opens", () => {
  const sealed = sealSecret(SAMPLE, "here");
  secret = "t".repeat(32);
  expect(openSecret(sealed, "here")).toEqual({ lost: "unknown_key" });
  expect(readSecret(sealed, "here")).toEqual({ lost: "unknown_key" });
});

test("the first key seals, and every other key opens the texts it sealed before", () => {
  const byAuthSecret = sealSecret(SAMPLE, "here");
  keys = ["1".repeat(32)];
  const byFirst = sealSecret(SAMPLE, "here");
  expect(byFirst.startsWith(sealedPrefix())).toBe(true);
  expect(byAuthSecret.startsWith(sealedPrefix())).toBe(false);
  keys = ["2".repeat(32), "1".repeat(32)];
  const bySecond = sealSecret(SAMPLE, "here");
  for (const sealed of [byAuthSecret, byFirst, bySecond]) {
    expect(openSecret(sealed, "here")).toEqual({ text: SAMPLE });
  }
  // Although each was opened before, and is remembered.
  keys = ["2".repeat(32)];
  expect(openSecret(byFirst, "here")).toEqual({ lost: "unknown_key" });
});

test("a text stored before sealing is read unchanged and does not count as sealed", () => {
  for (const text of ["whsec_abc", "s1.", "s1.a.b.c", "", "https://hooks.slack.com/s1"]) {
    expect(readSecret(text, "here")).toEqual({ text });
    expect(openSecret(text, "here")).toEqual({ lost: "damaged" });
  }
});

test("any changed part is damage", () => {
  const sealed = sealSecret(SAMPLE, "here");
  const flipped = [...sealed].map((character, at) =>
    character === "."
      ? sealed
      : `${sealed.slice(0, at)}${character === "A" ? "B" : "A"}${sealed.slice(at + 1)}`,
  );
  for (const text of new Set([...flipped, sealed.slice(0, -30), "", "s1", "s1.x.y.z"])) {
    if (text === sealed) continue;
    expect(openSecret(text, "here").lost).toMatch(/damaged|unknown_key/);
  }
});

test("without AUTH_SECRET nothing is sealed", () => {
  secret = "";
  expect(() => sealSecret(SAMPLE, "here")).toThrow(/AUTH_SECRET/);
});
