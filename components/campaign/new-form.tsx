"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { CheckField, HiddenFields } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { CampaignDraft, ExampleAnswers, Readiness } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import type { FormAction } from "@/lib/contract/form-state";
import type { PoolOption } from "@/lib/contract/pool";
import { CampaignError } from "./campaign-error";
import { CampaignFields } from "./campaign-fields";
import { CampaignPreview, FormLayout, usePreviewed } from "./preview";
import { type CampaignTemplate, TEMPLATES } from "./templates";

interface NewCampaignProps {
  action: FormAction<never>;
  appId: string;
  /** The default values of the form. */
  campaign: CampaignDraft;
  pools: readonly PoolOption[];
  /** The referral campaign that is active now. */
  active: Readiness["active"];
  examples: ExampleAnswers;
  /** The platforms whose store id the app has. */
  stores: readonly Platform[];
  landing: string;
  /** The page that sent the visitor here, as the action knows it. */
  from?: string | undefined;
}

/** Creates a campaign, as a draft or active at once. */
export function NewCampaignForm({
  action,
  appId,
  campaign,
  pools,
  active,
  examples,
  stores,
  landing,
  from,
}: NewCampaignProps) {
  const { state, pending, props } = useForm(action);
  const { previewed, onInput } = usePreviewed(campaign, pools);
  const [template, setTemplate] = useState<CampaignTemplate>(TEMPLATES[0]);
  const influencer = template.type === "influencer";
  return (
    <FormLayout
      preview={
        <CampaignPreview
          stores={stores}
          previewed={previewed}
          pools={pools}
          examples={examples}
          landing={landing}
        />
      }
    >
      <form {...props} onInput={onInput} className="grid grid-cols-1 gap-5" noValidate>
        <HiddenFields values={{ appId, type: template.type, ...(from && { from }) }} />
        <CampaignFields
          appId={appId}
          campaign={{ ...campaign, name: template.title }}
          pools={pools}
          examples={examples}
          state={state}
          influencer={influencer}
          stores={stores}
          fresh
          onTemplate={setTemplate}
        />
        {active && !influencer && (
          <CheckField
            name="replacing"
            value={active.id}
            label={`Pause “${active.name}” when this campaign is activated`}
            hint="Only one referral campaign can be active. Progress in the paused one continues when you resume it."
          />
        )}
        <CampaignError state={state} />
        <div className="flex flex-col gap-2 sm:flex-row">
          <Button type="submit" name="start" value="now" pending={pending}>
            Create and activate
          </Button>
          <Button type="submit" variant="secondary" pending={pending}>
            Save as draft
          </Button>
        </div>
      </form>
    </FormLayout>
  );
}
