import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSecret, sealSecret } from "@/lib/platform/secrets/seal";

let secret = "";
vi.mock("@/lib/platform/env", () => ({ env: () => ({ AUTH_SECRET: secret || undefined }) }));

beforeEach(() => {
  secret = "s".repeat(32);
});
afterEach(() => vi.restoreAllMocks());

const SAMPLE = "-----BEGIN PRIVATE KEY-----\nÄ\n-----END PRIVATE KEY-----";

test("what was sealed opens in its place and shows nothing of itself", () => {
  const sealed = sealSecret(SAMPLE, "app_store_keys:1");
  expect(sealed).not.toMatch(/BEGIN|PRIVATE/);
  expect(openSecret(sealed, "app_store_keys:1")).toEqual({ text: SAMPLE });
  expect(sealSecret(SAMPLE, "app_store_keys:1")).not.toBe(sealed);
});

test("in another app's row it does not open", () => {
  const sealed = sealSecret(SAMPLE, "app_store_keys:1");
  expect(openSecret(sealed, "app_store_keys:2")).toEqual({ lost: "damaged" });
});

test("another AUTH_SECRET is known as such, and nothing opens", () => {
  const sealed = sealSecret(SAMPLE, "here");
  secret = "t".repeat(32);
  expect(openSecret(sealed, "here")).toEqual({ lost: "other_secret" });
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
    expect(openSecret(text, "here").lost).toMatch(/damaged|other_secret/);
  }
});

test("without AUTH_SECRET nothing is sealed", () => {
  secret = "";
  expect(() => sealSecret(SAMPLE, "here")).toThrow(/AUTH_SECRET/);
});
