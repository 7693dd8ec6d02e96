import { randomBytes } from "node:crypto";
import { platformsOfApp } from "@/lib/contract/app";
import type { Platform } from "@/lib/contract/fields";
import { PLATFORM_NAME, PLATFORMS } from "@/lib/contract/format";
import { fail } from "@/lib/platform/errors";
import { createPool } from "@/lib/program/pools/pools";
import type { Context } from "@/lib/tenants/context";
import { importCodes } from "./import";

/** 32 characters, so that five bits of a random byte choose one character. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
/** The length of the stores' own one-time codes. */
const LENGTH: Record<Platform, number> = { ios: 18, android: 23 };
const LINES_AT_ONCE = 1_000;

/** Begins with a digit, because letters alone could be taken for the heading of a file. */
function randomCode(length: number): string {
  const [first = 0, ...others] = randomBytes(length);
  let text = ALPHABET.charAt(24 + (first & 7));
  for (const byte of others) text += ALPHABET.charAt(byte & 31);
  return text;
}

/** A file of random codes, one per line, generated as it is read, so that a million take no memory. */
export async function* randomCodeFile(platform: Platform, count: number): AsyncGenerator<string> {
  for (let written = 0; written < count; written += LINES_AT_ONCE) {
    const lines = Array.from({ length: Math.min(LINES_AT_ONCE, count - written) }, () =>
      randomCode(LENGTH[platform]),
    );
    yield `${lines.join("\n")}\n`;
  }
}

/** Random codes in each pool of a sandbox, unknown to every store. */
export const SAMPLE_CODES = 100;

/**
 * Adds random codes for one use to a sandbox, for each store of the app; pools that are missing are created. Throws
 * CONFLICT in a live app, where a friend would get a code that no store knows.
 */
export async function addSampleCodes(ctx: Context, use: "referee" | "reward"): Promise<void> {
  if (!ctx.app.sandbox) fail("CONFLICT", "Sample codes can be added to a sandbox app only");
  const stores = platformsOfApp(ctx.app);
  for (const platform of stores.length > 0 ? stores : PLATFORMS) {
    const source = randomCodeFile(platform, SAMPLE_CODES);
    await importCodes(ctx, { platform, use, kind: "one_time", origin: "sample", source });
  }
}

/** Pool ids by use and platform. */
export type SamplePools = Record<`${"referee" | "reward"}_${Platform}`, string>;

/**
 * Creates a pool with random codes. Its batch names no offer: a user never gets two codes of a named offer, so a
 * referrer of the sample could claim only one reward.
 */
async function createSamplePool(ctx: Context, platform: Platform, use: "referee" | "reward", codes: number) {
  const { id } = await createPool(ctx, { platform, use, name: `${PLATFORM_NAME[platform]} ${use} codes` });
  const source = randomCodeFile(platform, codes);
  if (codes > 0) await importCodes(ctx, { poolId: id, kind: "one_time", origin: "sample", source });
  return id;
}

/** Creates the four pools of a sample app, with that many codes in each. */
export async function createSamplePools(ctx: Context, codes: number): Promise<SamplePools> {
  return {
    referee_ios: await createSamplePool(ctx, "ios", "referee", codes),
    reward_ios: await createSamplePool(ctx, "ios", "reward", codes),
    referee_android: await createSamplePool(ctx, "android", "referee", codes),
    reward_android: await createSamplePool(ctx, "android", "reward", codes),
  };
}
