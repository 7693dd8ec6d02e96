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

/** The part of two states that differs; a value that one of them lacks is null in it. */
export function changesOf(before: Values, after: Values): { before: Values; after: Values } {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const differ = names.filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  const pick = (values: Values) => Object.fromEntries(differ.map((name) => [name, values[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}
