"use client";

import { useState } from "react";
import { Callout } from "@/components/ui/callout";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { CheckField, Field } from "@/components/ui/field";
import type { CampaignDraft } from "@/lib/contract/campaign-view";
import type { FormState } from "@/lib/contract/form-state";

const CONFIRM_ON = [
  {
    value: "start",
    name: "When the subscription starts",
    hint: "The first store event counts, including a free trial.",
  },
  {
    value: "paid",
    name: "When it is paid for",
    hint: "Only a paid event counts. A free trial counts once it turns into a paid subscription.",
  },
];

const REWARDS_ON = [
  {
    value: "friend",
    name: "The friend's platform",
    hint: "Friends on Android earn Google Play codes, also for a referrer with an iPhone.",
  },
  {
    value: "referrer",
    name: "The referrer's own platform",
    hint: "Known from `metadata.platform` of the referrer or `platform` in the claim; the friend's platform otherwise.",
  },
];

/** The fields that show their own errors. */
export const RULE_FIELD_NAMES = ["safetyMarginHours"];

interface Props {
  campaign: CampaignDraft;
  /** Whether the campaign runs on both platforms. */
  both: boolean;
  state: FormState;
}

/** The events that confirm a referral, the platform of rewards, and how close to its expiry a code is still assigned. */
export function RuleFields({ campaign, both, state }: Props) {
  const [rewardsOn, setRewardsOn] = useState<string>(campaign.rewardsOn);
  const [renewals, setRenewals] = useState(campaign.confirmAnyRenewal);
  return (
    <>
      <ChoiceCards
        wide
        legend="Confirm a referral"
        name="confirmOn"
        value={campaign.confirmOn}
        choices={CONFIRM_ON}
      />
      <CheckField
        label="Accept any renewal as confirmation"
        name="confirmAnyRenewal"
        checked={renewals}
        onChange={({ target }) => setRenewals(target.checked)}
        hint="For providers that do not report which code a renewal came from."
      />
      {renewals && (
        <Callout tone="warn">
          A renewal may belong to a subscription that is older than the code, so existing subscribers could
          become referees. Leave this off unless your provider needs it.
        </Callout>
      )}
      <ChoiceCards
        wide
        legend="Rewards are codes for"
        name="rewardsOn"
        value={rewardsOn}
        choices={REWARDS_ON}
        onChange={setRewardsOn}
      />
      {both && rewardsOn === "friend" && (
        <Callout tone="warn">
          The campaign runs on both platforms, so many rewards will not fit the phone of the referrer who
          earned them. Counts and thresholds stay per platform with either choice.
        </Callout>
      )}
      <Field
        label="Safety margin (hours)"
        name="safetyMarginHours"
        defaultValue={campaign.safetyMarginHours}
        inputMode="numeric"
        autoComplete="off"
        state={state}
        hint="Codes that expire within this time are not assigned."
      />
    </>
  );
}
