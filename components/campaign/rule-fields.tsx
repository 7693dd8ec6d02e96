"use client";

import { useState } from "react";
import { Callout } from "@/components/ui/callout";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { CheckField, Field } from "@/components/ui/field";
import type { CampaignDraft } from "@/lib/contract/campaign-view";
import type { FormState } from "@/lib/contract/form-state";

const REWARDS_ON = [
  {
    value: "friend",
    name: "The friend’s platform",
    hint: "Friends on Android earn Google Play codes, also for a referrer with an iPhone.",
  },
  {
    value: "referrer",
    name: "The referrer’s own platform",
    hint: "The one that your app reports for the referrer or in the claim; otherwise the friend’s.",
  },
];

/** The fields whose error opens the fold of these rules, as the error at the button names them. */
export const RULE_FIELD_NAMES: Record<string, string> = {
  rewardsOn: "The platform of rewards",
  holdDays: "The hold",
  codeBudget: "The maximum codes for referees",
  rewardBudget: "The maximum rewards",
  safetyMarginHours: "The safety margin",
};

interface Props {
  campaign: CampaignDraft;
  /** Whether the campaign runs on both platforms. */
  both: boolean;
  state: FormState;
}

/** The rules that most campaigns leave as they are, from renewals to the safety margin. */
export function RuleFields({ campaign, both, state }: Props) {
  const [rewardsOn, setRewardsOn] = useState<string>(campaign.rewardsOn);
  const [reciprocal, setReciprocal] = useState(campaign.refuseReciprocal);
  const [renewals, setRenewals] = useState(campaign.confirmAnyRenewal);
  return (
    <>
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
        label="Hold (days)"
        name="holdDays"
        defaultValue={campaign.holdDays}
        inputMode="numeric"
        autoComplete="off"
        state={state}
        hint="A confirmed referral counts towards a reward only after this time; a refund before it earns nothing. 0 counts at once."
      />
      <CheckField
        label="Refuse reciprocal referrals"
        name="refuseReciprocal"
        checked={reciprocal}
        onChange={({ target }) => setReciprocal(target.checked)}
        hint="Users cannot redeem the metacode of someone they referred, even with another of their IDs."
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Maximum codes for referees"
          name="codeBudget"
          defaultValue={campaign.codeBudget ?? ""}
          inputMode="numeric"
          autoComplete="off"
          state={state}
          hint="The most codes that the whole campaign assigns. After that, friends see that it is over. Leave empty for no limit."
        />
        <Field
          label="Maximum rewards"
          name="rewardBudget"
          defaultValue={campaign.rewardBudget ?? ""}
          inputMode="numeric"
          autoComplete="off"
          state={state}
          hint="The most rewards that can be claimed. Later ones wait until you raise the limit. Leave empty for no limit."
        />
      </div>
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
