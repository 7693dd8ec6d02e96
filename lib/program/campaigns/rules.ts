import type { CampaignInput, CampaignRulesInput } from "@/lib/contract/campaign";
import { CAMPAIGN_RULES, PLATFORM_RULES } from "@/lib/contract/campaign-rules";
import { keysOf, pick } from "@/lib/contract/pick";
import type { Campaign } from "./read";

/** A campaign's type and rules as `createCampaign` takes them: the beginning of every copy. */
export function rulesOf(campaign: Campaign): CampaignInput {
  return {
    type: campaign.type,
    ...pick(campaign, keysOf(CAMPAIGN_RULES)),
    platforms: Object.fromEntries(
      campaign.platforms.map((row) => [row.platform, pick(row, keysOf(PLATFORM_RULES))]),
    ),
  };
}

/** A campaign's rules by flat names, as the audit log stores them: `ios.threshold`, `endsAt`. */
export function auditedRules(campaign: Campaign): Record<string, unknown> {
  const { type: _, ...rules } = rulesOf(campaign);
  return flatRules(rules);
}

/** The rules of an update by the same flat names. */
export function flatRules({ platforms, ...rules }: CampaignRulesInput): Record<string, unknown> {
  const flat = Object.entries(platforms).flatMap(([platform, values = {}]) =>
    Object.entries(values).map(([rule, value]) => [`${platform}.${rule}`, value]),
  );
  return { ...rules, ...Object.fromEntries(flat) };
}
