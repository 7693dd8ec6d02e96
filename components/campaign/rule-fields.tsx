"use client";

import { useState } from "react";
import { Callout } from "@/components/ui/callout";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { CheckField, Field } from "@/components/ui/field";
import type { CampaignView } from "@/lib/contract/campaign-view";
import type { FormState } from "@/lib/contract/form-state";

const CONFIRM_ON = [
  {
    value: "start",
    name: "When it starts",
    hint: "The first store event counts, a free trial as well.",
  },
  {
    value: "paid",
    name: "When it is paid",
    hint: "Only an event with money counts. A trial counts once it is paid for.",
  },
];

interface Props {
  campaign: Pick<CampaignView, "confirmOn" | "confirmAnyRenewal" | "safetyMarginHours">;
  state: FormState;
}

/** What counts as a confirmation, and how close to its end a code is still given. */
export function RuleFields({ campaign, state }: Props) {
  const [renewals, setRenewals] = useState(campaign.confirmAnyRenewal);
  return (
    <>
      <ChoiceCards
        wide
        legend="A referral is confirmed"
        name="confirmOn"
        value={campaign.confirmOn}
        choices={CONFIRM_ON}
      />
      <CheckField
        label="Let plain renewals confirm"
        name="confirmAnyRenewal"
        checked={renewals}
        onChange={({ target }) => setRenewals(target.checked)}
        hint="For providers that do not say which code a renewal came from."
      />
      {renewals && (
        <Callout tone="warn">
          A renewal may belong to a subscription that is older than the code: people who have subscribed
          already can then be referred. Leave this off unless your provider needs it.
        </Callout>
      )}
      <Field
        label="Safety margin in hours"
        name="safetyMarginHours"
        defaultValue={campaign.safetyMarginHours}
        inputMode="numeric"
        autoComplete="off"
        state={state}
        hint="No code is given that expires within this time."
      />
    </>
  );
}
