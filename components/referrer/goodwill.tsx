"use client";

import { ConfirmButton, ReasonField } from "@/components/ui/confirm";
import { SeenValues, SelectField } from "@/components/ui/field";
import type { Platform } from "@/lib/contract/fields";
import type { FormAction } from "@/lib/contract/form-state";
import { platformChoices } from "@/lib/contract/format";

interface Props {
  action: FormAction<{ rewardNumber: number }>;
  appId: string;
  referrerId: string;
  platforms: readonly Platform[];
  /** Number of goodwill rewards that the page showed, because a colleague may be granting the same one. */
  granted: number;
}

/** Grants a referrer one reward as goodwill. */
export function GoodwillReward({ action, appId, referrerId, platforms, granted }: Props) {
  return (
    <ConfirmButton
      label="Goodwill reward"
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, referrerId }}
      title="Grant a goodwill reward?"
      description={
        <p>
          The referrer gets one reward on top of those that referrals earn, even beyond the campaign’s
          maximum. The app can claim it at once if the budget has room and the reward pool has a code for this
          referrer. Until it is claimed you can withdraw it.
        </p>
      }
      submit="Grant reward"
      done="Reward granted"
    >
      <SeenValues values={{ goodwill: granted }} />
      <input type="hidden" name="goodwill" data-label="Goodwill rewards" />
      <SelectField label="Platform" name="platform" choices={platformChoices(platforms)} />
      <ReasonField placeholder="Lost a referral through our mistake" />
    </ConfirmButton>
  );
}
