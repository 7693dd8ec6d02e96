"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { CheckField, FormError } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { useForm } from "@/components/ui/use-form";
import type { CampaignDraft, Readiness } from "@/lib/contract/campaign-view";
import type { FormAction } from "@/lib/contract/form-state";
import type { PoolOption } from "@/lib/contract/pool";
import { CAMPAIGN_FIELDS, CampaignFields } from "./campaign-fields";
import { type AnswerOf, CampaignPreview, FormLayout, usePreviewed } from "./preview";

const TYPES = [
  {
    value: "referral",
    name: "Referral",
    hint: "Every user of the app can invite. Rewards are earned at a threshold. Only one can be active at a time.",
  },
  {
    value: "influencer",
    name: "Influencer",
    hint: "People you choose get their own metacodes. You grant rewards by hand. Several can be active.",
  },
];

export interface NewCampaignProps {
  action: FormAction<never>;
  appId: string;
  /** The default values of the form. */
  campaign: CampaignDraft;
  pools: readonly PoolOption[];
  /** The referral campaign that is active now. */
  active: Readiness["active"];
  answerOf: AnswerOf;
  landing: string;
}

/** Creates a campaign, as a draft or active at once. */
export function NewCampaignForm({
  action,
  appId,
  campaign,
  pools,
  active,
  answerOf,
  landing,
}: NewCampaignProps) {
  const { state, pending, props } = useForm(action);
  const { previewed, onInput } = usePreviewed(campaign, pools);
  const [type, setType] = useState("referral");
  const influencer = type === "influencer";
  return (
    <FormLayout
      preview={<CampaignPreview previewed={previewed} pools={pools} answerOf={answerOf} landing={landing} />}
    >
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
        <CampaignFields
          campaign={campaign}
          pools={pools}
          answerOf={answerOf}
          state={state}
          influencer={influencer}
          fresh
        />
        {active && !influencer && (
          <CheckField
            name="replacing"
            value={active.id}
            label={`Pause “${active.name}” when this campaign is activated`}
            hint="Only one referral campaign can be active. Progress in the paused one continues when you resume it."
          />
        )}
        <FormError state={state} fields={CAMPAIGN_FIELDS} />
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
