"use client";

import { BulkBar } from "@/components/bulk/bulk-bar";
import { WithdrawRewards } from "@/components/referral/by-hand-actions";
import { ReasonField } from "@/components/ui/confirm";
import type { BulkOutcome } from "@/lib/contract/bulk";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  appId: string;
  reverse: FormAction<BulkOutcome>;
  restore: FormAction<BulkOutcome>;
  release: FormAction<BulkOutcome>;
}

/** Reverses the chosen referrals, undoes their reversals, or releases those without a confirmation. */
export function ReferralBulkBar({ appId, reverse, restore, release }: Props) {
  return (
    <BulkBar
      hidden={{ appId }}
      noun={["referral", "referrals"]}
      actions={[
        {
          action: reverse,
          label: "Reverse",
          description:
            "They no longer count for their referrers, as after a refund. Rewards already earned stay unless you withdraw them below, and so do the promo codes. Referrals without a confirmation are left as they are. You can undo this.",
          done: "reversed",
          danger: true,
          children: (
            <>
              <ReasonField placeholder="Made-up users" />
              <WithdrawRewards />
            </>
          ),
        },
        {
          action: restore,
          label: "Undo reversal",
          description:
            "They count again for their referrers, which may earn rewards, and rewards that were withdrawn with them are back once they are due. Refunds that a provider reported stay.",
          done: "counted again",
          children: <ReasonField placeholder="Reversed by mistake" />,
        },
        {
          action: release,
          label: "Release",
          description:
            "They are removed, and their codes become void here, although the store may still accept them. The referees can redeem again while the campaign is active and has budget left; the released codes stay counted in it. Confirmed referrals are left as they are. This cannot be undone.",
          done: "released",
          danger: true,
          children: <ReasonField placeholder="Made-up users" />,
        },
      ]}
    />
  );
}

interface ReviewProps {
  appId: string;
  approve: FormAction<BulkOutcome>;
  /** Absent in the list of dismissed redemptions. */
  dismiss: FormAction<BulkOutcome> | undefined;
}

/** Approves or dismisses the chosen redemptions beyond a limit. */
export function ReviewBulkBar({ appId, approve, dismiss }: ReviewProps) {
  return (
    <BulkBar
      hidden={dismiss ? { appId } : { appId, state: "dismissed" }}
      noun={["redemption", "redemptions"]}
      actions={[
        {
          action: approve,
          label: "Approve",
          description:
            "These friends may redeem again, although they are beyond the limit. While the pool has codes and the campaign has budget left, one is set aside for each for 48 hours, and a webhook says so; otherwise they keep their place in line.",
          done: "approved",
        },
        ...(dismiss
          ? [
              {
                action: dismiss,
                label: "Dismiss",
                description:
                  "These friends get no code of this campaign for 30 days after they first tried. You can approve them later, under “Dismissed”.",
                done: "dismissed",
                danger: true,
              },
            ]
          : []),
      ]}
    />
  );
}
