import { z } from "zod";
import { nameField } from "./name";
import { uuidField } from "./uuid";
import { wholeField } from "./whole";

/** A moment as a form or a script gives it: a `Date`, or ISO 8601 text with its zone. */
const momentField = (field: string) =>
  z
    .union([z.date(), z.iso.datetime({ offset: true }).transform((text) => new Date(text))], {
      error: `${field} must be a date and time with its zone`,
    })
    .nullish();

/** What a campaign says for one platform. */
export const platformRules = z.object({
  threshold: wholeField("threshold", 1, 10_000),
  refereePoolId: uuidField("refereePoolId").nullish(),
  rewardPoolId: uuidField("rewardPoolId").nullish(),
  instructions: z
    .string()
    .trim()
    .max(1_000, { error: "instructions must be at most 1,000 characters" })
    .refine((text) => !text.includes("\0") && text.isWellFormed(), {
      error: "instructions must be plain text",
    })
    .nullish(),
  rewardCap: wholeField("rewardCap", 1, 1_000_000).nullish(),
});

const rules = {
  name: nameField("name"),
  startsAt: momentField("startsAt"),
  endsAt: momentField("endsAt"),
  safetyMarginHours: wholeField("safetyMarginHours", 0, 8_760).default(24),
  confirmOn: z.enum(["start", "paid"], { error: "confirmOn must be 'start' or 'paid'" }).default("start"),
  confirmAnyRenewal: z.boolean().default(false),
  platforms: z
    .object({ ios: platformRules.optional(), android: platformRules.optional() })
    .refine((all) => all.ios ?? all.android, { error: "platforms must name ios, android or both" }),
};

const inOrder = (input: { startsAt?: Date | null; endsAt?: Date | null }) =>
  !input.startsAt || !input.endsAt || input.startsAt < input.endsAt;
const ORDER = { error: "endsAt must be later than startsAt", path: ["endsAt"] };

/** A new campaign. */
export const campaignInput = z
  .object({
    type: z.enum(["referral", "influencer"], { error: "type must be 'referral' or 'influencer'" }),
    ...rules,
  })
  .refine(inOrder, ORDER);

/** The whole of a campaign's rules in place of the present ones; its type stays what it is. */
export const campaignRules = z.object(rules).refine(inOrder, ORDER);

export type CampaignInput = z.input<typeof campaignInput>;
export type CampaignRules = z.input<typeof campaignRules>;
export type PlatformRules = z.output<typeof platformRules>;
