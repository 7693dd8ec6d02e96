import { z } from "zod";
import type { campaignPlatforms, campaigns } from "@/lib/platform/db/schema";
import { nameField, uuidField, wholeField } from "./fields";

type CampaignRow = typeof campaigns.$inferSelect;
type PlatformRow = typeof campaignPlatforms.$inferSelect;

/** Columns that no form sets: identity, type and progress. Every other column must have its rule below. */
type CampaignState =
  | "appId"
  | "id"
  | "type"
  | "status"
  | "activatedAt"
  | "resumedAt"
  | "createdAt"
  | "spentCodes"
  | "spentRewards"
  | "recountAt";
type PlatformState = "appId" | "campaignId" | "platform" | "hasLine" | "grantAfter" | "granted";

type RulesOf<Row, State extends keyof Row> = {
  [Column in Exclude<keyof Row, State>]: z.ZodType<Row[Column]>;
};

/** A date and time from a form or a script: a `Date`, or ISO 8601 text with its zone. */
const timestampField = (field: string) =>
  z
    .union([z.date(), z.iso.datetime({ offset: true }).transform((text) => new Date(text))], {
      error: `${field} must be a date and time with its zone`,
    })
    // JavaScript writes other years with a sign, which PostgreSQL refuses.
    .refine((at) => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9_999, {
      error: `${field} must be in the years 1 to 9999`,
    })
    .nullable()
    .default(null);

/**
 * The rules of a campaign, each under the name of its column. View, form, audit log, duplicate and sandbox twin derive
 * from this list, so a new rule needs a column, an entry here, its field in the form, its line on the page and its SQL.
 */
export const CAMPAIGN_RULES = {
  name: nameField("name"),
  startsAt: timestampField("startsAt"),
  endsAt: timestampField("endsAt"),
  safetyMarginHours: wholeField("safetyMarginHours", 0, 8_760).default(24),
  confirmOn: z.enum(["start", "paid"], { error: "confirmOn must be 'start' or 'paid'" }).default("start"),
  confirmAnyRenewal: z.boolean().default(false),
  rewardsOn: z
    .enum(["friend", "referrer"], { error: "rewardsOn must be 'friend' or 'referrer'" })
    .default("friend"),
  holdDays: wholeField("holdDays", 0, 90).default(0),
  refuseReciprocal: z.boolean().default(false),
  codeBudget: wholeField("codeBudget", 1, 100_000_000).nullable().default(null),
  rewardBudget: wholeField("rewardBudget", 1, 100_000_000).nullable().default(null),
} satisfies RulesOf<CampaignRow, CampaignState>;

/** The rules of a campaign on one platform, in the same way. */
export const PLATFORM_RULES = {
  threshold: wholeField("threshold", 1, 10_000),
  refereePoolId: uuidField("refereePoolId").nullable().default(null),
  rewardPoolId: uuidField("rewardPoolId").nullable().default(null),
  instructions: z
    .string()
    .trim()
    .max(1_000, { error: "instructions must be at most 1,000 characters" })
    .refine((text) => !text.includes("\0") && text.isWellFormed(), {
      error: "instructions must be plain text",
    })
    .nullable()
    .default(null),
  rewardCap: wholeField("rewardCap", 1, 1_000_000).nullable().default(null),
} satisfies RulesOf<PlatformRow, PlatformState>;
