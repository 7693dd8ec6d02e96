import { z } from "zod";
import type { campaigns, pools } from "@/lib/platform/db/schema";
import type { BatchView, CodeCounts } from "./batch";
import { nameField, offerField, platformField, uuidField } from "./fields";
import { keysOf, pick } from "./pick";

type PoolRow = typeof pools.$inferSelect;

const lowStock = z
  .number({ error: "lowStock must be a whole number" })
  .int({ error: "lowStock must be a whole number" })
  .min(0, { error: "lowStock must not be negative" })
  .max(1_000_000, { error: "lowStock must be at most 1,000,000" });

const MAX_RECIPIENTS = 10;

const alertTo = z
  .array(z.string())
  .refine((addresses) => addresses.every((address) => z.email().max(254).safeParse(address).success), {
    error: "alertTo must be email addresses",
  })
  .refine((addresses) => addresses.length <= MAX_RECIPIENTS, {
    error: `alertTo must be at most ${MAX_RECIPIENTS} addresses`,
  })
  .transform((addresses) => [...new Set(addresses.map((address) => address.toLowerCase()))]);

export const MAX_OFFERS = 20;

/** Names of offers, each once; a repeated one keeps its first place. */
const offers = z
  .array(offerField("offers"))
  .max(MAX_OFFERS, { error: `offers must be at most ${MAX_OFFERS} names` })
  .transform((names) => [...new Set(names)]);

/** Columns that no form updates: identity, the kind of codes, and progress. */
type PoolState = "appId" | "id" | "platform" | "use" | "lowSince" | "createdAt";

/** The settings of a pool, each under the name of its column. Forms, view and audit log derive from this list. */
export const POOL_SETTINGS = {
  name: nameField("name"),
  /** Number of free codes at which the recipients of alerts are emailed. */
  lowStock,
  /** Recipients of low-stock emails. Empty: owners and admins of the workspace. */
  alertTo,
  /** The offers in the order in which an end user gets codes of them. */
  offers,
  /** Google Play: one code per offer and end user, as in the App Store. */
  onePerOffer: z.boolean({ error: "onePerOffer must be true or false" }),
} satisfies { [Column in Exclude<keyof PoolRow, PoolState>]: z.ZodType<PoolRow[Column]> };

export const POOL_USES = ["referee", "reward"] as const;

/** A new pool of codes. */
export const poolInput = z.object({
  platform: platformField,
  use: z.enum(POOL_USES, { error: "use must be 'referee' or 'reward'" }),
  ...POOL_SETTINGS,
  lowStock: lowStock.default(50),
  alertTo: alertTo.default([]),
  offers: offers.default([]),
  onePerOffer: POOL_SETTINGS.onePerOffer.default(false),
});

/** Without an order of offers, the order of expiry applies again. */
export const poolUpdate = z.object({
  poolId: uuidField("poolId"),
  ...POOL_SETTINGS,
  offers: offers.default([]),
  onePerOffer: POOL_SETTINGS.onePerOffer.default(false),
});

export type PoolInput = z.input<typeof poolInput>;

/** A pool with its stock, as the dashboard shows it. */
export interface PoolView
  extends Pick<PoolRow, "id" | "platform" | "use" | keyof typeof POOL_SETTINGS>,
    CodeCounts {
  batches: BatchView[];
  /** The campaigns that take codes from the pool. */
  usedBy: Pick<typeof campaigns.$inferSelect, "id" | "name" | "status">[];
  /** The earliest expiry among batches with free codes, and how many that batch has. */
  nextExpiry: { at: Date; codes: number } | null;
  /** Referees who found the pool empty and wait for its next codes. */
  inLine: number;
  /** Codes assigned per day over the last seven days; 0 while a new pool has assigned too few to tell. */
  perDay: number;
  /**
   * Days until the pool is empty at that pace, without codes that expire before their turn. Null without any pace.
   */
  daysLeft: number | null;
}

/** A pool in the form of its settings. */
export type EditedPool = Pick<PoolView, "id" | "platform" | keyof typeof POOL_SETTINGS>;

/** The settings of a pool for its form. */
export const editedPool = (pool: EditedPool): EditedPool =>
  pick(pool, ["id", "platform", ...keysOf(POOL_SETTINGS)]);

/** A pool without its stock, in a select field. */
export type PoolName = Pick<PoolView, "id" | "name" | "platform" | "use">;

/** A pool in a select field, with its free codes and the kind of the next code. */
export type PoolOption = PoolName & Pick<PoolView, "free"> & Pick<BatchView, "kind">;

/**
 * A store can take days to deliver codes, so a pool that lasts fewer days than this is low, however many codes it
 * has.
 */
export const LOW_STOCK_DAYS = 7;

/** The stock of a pool, by the one threshold that screens, alerts and emails share. */
export function stockLevel(
  { free, lowStock, daysLeft }: Pick<PoolView, "free" | "lowStock" | "daysLeft">,
  lowDays = LOW_STOCK_DAYS,
): "empty" | "low" | "good" {
  if (free === 0) return "empty";
  return free <= lowStock || (daysLeft !== null && daysLeft < lowDays) ? "low" : "good";
}
