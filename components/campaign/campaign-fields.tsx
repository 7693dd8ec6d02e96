"use client";

import { Field } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { type CampaignView, PLATFORMS, type PoolChoice } from "@/lib/contract/campaign-view";
import type { FormState } from "@/lib/contract/form-state";
import { MomentField } from "./moment-field";
import { PlatformFields } from "./platform-fields";
import type { AnswerOf } from "./preview";
import { RuleFields } from "./rule-fields";

/** The values a form begins with. */
export type CampaignDraft = Omit<CampaignView, "id" | "status" | "activatedAt">;

interface Props {
  campaign: CampaignDraft;
  pools: readonly PoolChoice[];
  answerOf: AnswerOf;
  state: FormState;
  influencer: boolean;
  /** A new campaign runs on both platforms unless it is told otherwise. */
  fresh: boolean;
}

/** The fields that show their own errors. */
export const FIELDS = [
  ...["name", "startsAt", "endsAt", "safetyMarginHours"],
  ...PLATFORMS.flatMap((platform) =>
    [
      "threshold",
      "rewardCap",
      "refereePoolId",
      "rewardPoolId",
      "newRefereePool",
      "newRewardPool",
      "instructions",
    ].map((key) => `platforms.${platform}.${key}`),
  ),
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
          hint="For you and your team."
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <MomentField
            label="Starts"
            name="startsAt"
            value={campaign.startsAt}
            state={state}
            hint="Empty: when it is activated."
          />
          <MomentField
            label="Ends"
            name="endsAt"
            value={campaign.endsAt}
            state={state}
            hint="Empty: when you end it."
          />
        </div>
      </Section>
      <Section
        title="Platforms"
        hint={
          influencer
            ? "Where codes are given, and from which stock."
            : "How many referrals make a reward, and where codes come from."
        }
      >
        {PLATFORMS.map((platform) => {
          const rule = campaign.platforms.find((one) => one.platform === platform);
          const { instructions } = answerOf({ platform, kind: "one_time", instructions: null });
          return (
            <PlatformFields
              key={platform}
              {...{ platform, rule, influencer, pools, state }}
              on={fresh || rule !== undefined}
              builtIn={instructions}
            />
          );
        })}
      </Section>
      <Section title="Rules">
        <RuleFields campaign={campaign} state={state} />
      </Section>
    </>
  );
}
