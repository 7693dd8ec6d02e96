import { importCodes } from "@/lib/codes/import";
import { randomCodes } from "@/lib/codes/random-codes";
import type { Context } from "@/lib/context";
import type { Platform } from "@/lib/contract/fields";
import { createPool } from "@/lib/pools/create";

/** Pool ids by use and platform. */
export type SamplePools = Record<`${"referee" | "reward"}_${Platform}`, string>;

/**
 * A pool with `codes` codes. Its batch names no offer: of a named offer one person never gets a second code, so that a
 * referrer of the sample could claim one reward only.
 */
async function filledPool(ctx: Context, platform: Platform, use: "referee" | "reward", codes: number) {
  const name = `${platform === "ios" ? "iOS" : "Android"} ${use} codes`;
  const { id } = await createPool(ctx, { platform, use, name });
  const source = randomCodes(platform, codes);
  if (codes > 0) await importCodes(ctx, { poolId: id, kind: "one_time", origin: "sample", source });
  return id;
}

/** The four pools of a sample app, `codes` codes in each. */
export async function fillPools(ctx: Context, codes: number): Promise<SamplePools> {
  return {
    referee_ios: await filledPool(ctx, "ios", "referee", codes),
    reward_ios: await filledPool(ctx, "ios", "reward", codes),
    referee_android: await filledPool(ctx, "android", "referee", codes),
    reward_android: await filledPool(ctx, "android", "reward", codes),
  };
}
