import type { Campaign } from "./list";

type Values = Record<string, unknown>;

/** A campaign's rules by flat names, as the audit log keeps them: `ios.threshold`, `endsAt`. */
export function rulesOf(campaign: Campaign): Values {
  const { name, startsAt, endsAt, safetyMarginHours, confirmOn, confirmAnyRenewal } = campaign;
  const rules: Values = { name, startsAt, endsAt, safetyMarginHours, confirmOn, confirmAnyRenewal };
  for (const { platform, ...given } of campaign.platforms) {
    const { threshold, refereePoolId, rewardPoolId, instructions, rewardCap } = given;
    for (const [key, value] of Object.entries({
      threshold,
      refereePoolId,
      rewardPoolId,
      instructions,
      rewardCap,
    })) {
      rules[`${platform}.${key}`] = value;
    }
  }
  return rules;
}
