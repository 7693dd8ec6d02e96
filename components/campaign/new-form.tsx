"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { CheckField, FormError } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { useForm } from "@/components/ui/use-form";
import type { PoolChoice, Readiness } from "@/lib/contract/campaign-view";
import type { FormAction } from "@/lib/contract/form-state";
import { type CampaignDraft, CampaignFields, FIELDS } from "./campaign-fields";
import { FormLayout } from "./form-layout";
import { type AnswerOf, Preview, useShown } from "./preview";

const TYPES = [
  {
    value: "referral",
    name: "Referral",
    hint: "Every user of the app can invite. Rewards come by themselves at a threshold. One can be active at a time.",
  },
  {
    value: "influencer",
    name: "Influencer",
    hint: "People you choose get metacodes of their own. You hand out rewards by hand. Several can be active.",
  },
];

const EMPTY: CampaignDraft = {
  type: "referral",
  name: "",
  startsAt: null,
  endsAt: null,
  safetyMarginHours: 24,
  confirmOn: "start",
  confirmAnyRenewal: false,
  platforms: [],
};

export interface NewFormProps {
  action: FormAction<never>;
  appId: string;
  pools: readonly PoolChoice[];
  /** The referral campaign that is active now. */
  active: Readiness["active"];
  answerOf: AnswerOf;
  landing: string;
}

/** The form of a new campaign: kept as a draft, or started at once. */
export function NewCampaignForm({ action, appId, pools, active, answerOf, landing }: NewFormProps) {
  const { state, pending, props } = useForm(action);
  const { shown, onInput } = useShown(EMPTY, pools);
  const [type, setType] = useState("referral");
  const influencer = type === "influencer";
  return (
    <FormLayout preview={<Preview {...{ shown, pools, answerOf, landing }} />}>
      <form {...props} onInput={onInput} className="grid gap-5" noValidate>
        <input type="hidden" name="appId" value={appId} />
        <Section title="Type">
          <ChoiceCards
            wide
            legend="Who invites"
            name="type"
            value={type}
            choices={TYPES}
            onChange={setType}
          />
        </Section>
        <CampaignFields campaign={EMPTY} {...{ pools, answerOf, state, influencer }} fresh />
        {active && !influencer && (
          <CheckField
            name="replacing"
            value={active.id}
            label={`Pause “${active.name}” when this one is activated`}
            hint="Only one referral campaign can be active. Open progress in the other one waits until it is resumed."
          />
        )}
        <FormError state={state} fields={FIELDS} />
        <div className="flex flex-col gap-2 sm:flex-row">
          <Button type="submit" pending={pending}>
            Save as draft
          </Button>
          <Button type="submit" name="start" value="now" variant="secondary" pending={pending}>
            Create and activate
          </Button>
        </div>
      </form>
    </FormLayout>
  );
}
