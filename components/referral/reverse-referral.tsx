"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import { Field } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<void>;
  appId: string;
  referralId: string;
}

/** Takes a confirmed referral out of the count. */
export function ReverseReferral({ action, appId, referralId }: Props) {
  return (
    <ConfirmButton
      label="Reverse"
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, referralId }}
      title="Reverse this referral?"
      description={
        <p>
          It no longer counts for the referrer, as after a refund. A reward that was earned already stays, and
          the referee keeps the code. You can take it back.
        </p>
      }
      submit="Reverse referral"
      danger
      done="The referral was reversed"
    >
      <Field
        label="Why"
        name="reason"
        required
        maxLength={80}
        placeholder="Made up by one person"
        autoComplete="off"
      />
    </ConfirmButton>
  );
}

/** Puts it back into the count. */
export function RestoreReferral({ action, appId, referralId }: Props) {
  return (
    <ConfirmButton
      label="Take the reversal back"
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId, referralId }}
      title="Take the reversal back?"
      description={
        <p>The referral counts for its referrer again. If a reward becomes due by that, it is earned now.</p>
      }
      submit="Take it back"
      done="The referral counts again"
    />
  );
}
