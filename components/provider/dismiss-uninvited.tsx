"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import { toast } from "@/components/ui/toast";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount } from "@/lib/contract/format";

interface Props {
  action: FormAction<{ dismissed: number }>;
  appId: string;
}

/** Dismisses the unmatched events without a sign of a lost referral. */
export function DismissUninvited({ action, appId }: Props) {
  return (
    <ConfirmButton
      label="Dismiss all"
      look={{ size: "sm" }}
      action={action}
      hidden={{ appId }}
      title="Dismiss these events?"
      description={
        <p>
          Up to 1,000 of the newest purchases and refunds without a sign of a lost referral are dismissed, but
          none of the last hour, in which buyers may still redeem. They stay under “Dismissed” and can be put
          back. A dismissed purchase is no longer applied if its buyer redeems later.
        </p>
      }
      submit="Dismiss all"
      onDone={({ dismissed }) => toast(`${formatCount(dismissed, "event")} dismissed`)}
    />
  );
}
