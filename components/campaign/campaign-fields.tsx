"use client";

import { Field } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { type CampaignDraft, PLATFORMS } from "@/lib/contract/campaign-view";
import type { FormState } from "@/lib/contract/form-state";
import type { PoolOption } from "@/lib/contract/pool";
import { DateTimeField } from "./date-time-field";
import { PLATFORM_FIELD_NAMES, PlatformFields } from "./platform-fields";
import type { AnswerOf } from "./preview";
import { RULE_FIELD_NAMES, RuleFields } from "./rule-fields";

interface Props {
  campaign: CampaignDraft;
  pools: readonly PoolOption[];
  answerOf: AnswerOf;
  state: FormState;
  influencer: boolean;
  /** A new campaign starts with both platforms selected. */
  fresh: boolean;
}

/** The fields that show their own errors. */
export const CAMPAIGN_FIELDS = [
  "name",
  "startsAt",
  "endsAt",
  ...RULE_FIELD_NAMES,
  ...PLATFORMS.flatMap((platform) => PLATFORM_FIELD_NAMES.map((name) => `platforms.${platform}.${name}`)),
];

/** Name, dates, platforms and rules of a campaign. */
export function CampaignFields({ campaign, pools, answerOf, state, influencer, fresh }: Props) {
  return (
    <>
      <Section title="Name and dates">
        <Field
          label="Name"
          name="name"
          defaultValue={campaign.name}
          maxLength={80}
          placeholder="Invite friends"
          autoComplete="off"
          state={state}
          hint="Only you and your team see it."
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <DateTimeField
            label="Starts"
            name="startsAt"
            value={campaign.startsAt}
            state={state}
            hint="Leave empty to start on activation."
          />
          <DateTimeField
            label="Ends"
            name="endsAt"
            value={campaign.endsAt}
            state={state}
            hint="Leave empty to end it by hand."
          />
        </div>
      </Section>
      <Section
        title="Platforms"
        hint={
          influencer
            ? "Where the campaign runs, and which pools its codes come from."
            : "How many referrals earn a reward, and which pools the codes come from."
        }
      >
        {PLATFORMS.map((platform) => {
          const rule = campaign.platforms.find((candidate) => candidate.platform === platform);
          const { instructions } = answerOf({ platform, kind: "one_time", instructions: null });
          return (
            <PlatformFields
              key={platform}
              platform={platform}
              rule={rule}
              influencer={influencer}
              pools={pools}
              state={state}
              on={fresh || rule !== undefined}
              builtIn={instructions}
            />
          );
        })}
      </Section>
      <Section title="Rules">
        <RuleFields campaign={campaign} both={fresh || campaign.platforms.length > 1} state={state} />
      </Section>
    </>
  );
}
