import { z } from "zod";
import { CAMPAIGN_RULES, PLATFORM_RULES } from "./campaign-rules";
import type { CampaignDraft } from "./campaign-view";
import { checkbox, inApp, nameField, uuidField } from "./fields";

const platformRules = z.object(PLATFORM_RULES);

const rules = {
  ...CAMPAIGN_RULES,
  platforms: z
    .object({ ios: platformRules.optional(), android: platformRules.optional() })
    .refine((all) => all.ios ?? all.android, { error: "Choose at least one store" }),
};

const inOrder = ({ startsAt, endsAt }: { startsAt: Date | null; endsAt: Date | null }) =>
  !startsAt || !endsAt || startsAt < endsAt;
const ORDER = { error: "The end must be after the start", path: ["endsAt"] };

/** A new campaign. */
export const campaignInput = z
  .object({
    type: z.enum(["referral", "influencer"], { error: "type must be 'referral' or 'influencer'" }),
    ...rules,
  })
  .refine(inOrder, ORDER);

/** All rules of a campaign in place of its current ones; its type stays the same. */
export const campaignRules = z.object(rules).refine(inOrder, ORDER);

export type CampaignInput = z.input<typeof campaignInput>;
export type CampaignRulesInput = z.input<typeof campaignRules>;
export type PlatformRules = z.output<typeof platformRules>;

const { name: _, ...rulesWithDefaults } = CAMPAIGN_RULES;

/** The form of a new campaign begins with the default of each rule. */
export const NEW_CAMPAIGN: CampaignDraft = {
  type: "referral",
  name: "",
  ...z.object(rulesWithDefaults).parse({}),
  platforms: [],
};

/** A number as a form sends it; the rule itself refuses any other text. */
const numberText = z
  .string()
  .trim()
  .transform((text) => (/^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN))
  .optional();

const text = z.string().optional();

type FormValue = string | number | boolean | undefined;

function formField(rule: z.ZodType): z.ZodType<FormValue> {
  if (rule instanceof z.ZodDefault || rule instanceof z.ZodNullable) {
    return formField(rule.unwrap() as z.ZodType);
  }
  if (rule instanceof z.ZodNumber) return numberText;
  return rule instanceof z.ZodBoolean ? checkbox : text;
}

/** Forms send text, which becomes numbers and booleans here; the rules check the values afterwards. */
function formFields<Name extends string>(list: Record<Name, z.ZodType>) {
  const fields = Object.entries<z.ZodType>(list).map(([name, rule]) => [name, formField(rule)]);
  return Object.fromEntries(fields) as Record<Name, z.ZodType<FormValue>>;
}

const platformForm = z.object({
  ...formFields(PLATFORM_RULES),
  on: z.literal("on").optional(),
  /** A pool's id, or {@link NEW_POOL} with the name of the new pool. */
  refereePoolId: text,
  rewardPoolId: text,
  newRefereePool: text,
  newRewardPool: text,
});

const ruleForm = z.object({
  ...inApp,
  ...formFields(CAMPAIGN_RULES),
  platforms: z.object({ ios: platformForm.optional(), android: platformForm.optional() }).optional(),
});

/** The form of a new campaign; the button that also activates it sends `start`, `replacing` names a campaign to pause. */
export const createCampaignForm = ruleForm.extend({
  type: campaignInput.shape.type,
  start: z.literal("now").optional(),
  replacing: uuidField("replacing").optional(),
});

/** The form of a campaign's rules; `agreed` is the number of due rewards that its sender has seen. */
export const updateCampaignForm = ruleForm.extend({
  campaignId: uuidField("campaignId"),
  agreed: z.coerce.number().int().min(0).default(0),
});

export type PlatformForm = z.output<typeof platformForm>;
export type RuleForm = z.output<typeof ruleForm>;
export type CreateCampaignForm = z.output<typeof createCampaignForm>;
export type UpdateCampaignForm = z.output<typeof updateCampaignForm>;

/** The name of a pool that is created along with a campaign. */
export const newPoolName = nameField("name");

/** The choice of a pool that is created along with the campaign. */
export const NEW_POOL = "new";
