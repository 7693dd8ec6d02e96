"use client";

import { BulkBar } from "@/components/bulk/bulk-bar";
import { ConfirmButton } from "@/components/ui/confirm";
import type { BulkOutcome } from "@/lib/contract/bulk";
import type { FormAction } from "@/lib/contract/form-state";
import type { ReferrerStatus } from "@/lib/contract/referrer-list";

interface Props {
  action: FormAction<void>;
  appId: string;
  referrerId: string;
  metacode: string;
  status: ReferrerStatus;
}

/** Pauses, resumes or ends a referrer, as the status allows. Each states its consequences first. */
export function StatusActions({ action, appId, referrerId, metacode, status }: Props) {
  if (status === "ended") return null;
  const to = (next: ReferrerStatus) => ({
    action,
    hidden: { appId, referrerId, status: next },
    look: { size: "sm" } as const,
  });
  return (
    <div className="flex flex-wrap gap-2">
      {status === "active" ? (
        <ConfirmButton
          {...to("paused")}
          label="Pause"
          title="Pause this referrer?"
          description={
            <p>
              The metacode stops working until you resume. Referrals with a code can still be confirmed, and
              rewards can be claimed.
            </p>
          }
          submit="Pause referrer"
          done="Referrer paused"
        />
      ) : (
        <ConfirmButton
          {...to("active")}
          label="Resume"
          title="Resume this referrer?"
          description={<p>The metacode works again while its campaign is active.</p>}
          submit="Resume referrer"
          done="Referrer resumed"
        />
      )}
      <ConfirmButton
        {...to("ended")}
        label="End"
        title="End this referrer for good?"
        description={
          <p>
            The metacode stops working for good. Rewards earned so far can still be claimed. This cannot be
            undone.
          </p>
        }
        submit="End referrer"
        danger
        typed={metacode}
        done="Referrer ended"
      />
    </div>
  );
}

/** Pauses or resumes the chosen referrers. */
export function ReferrerBulkBar({ appId, update }: { appId: string; update: FormAction<BulkOutcome> }) {
  return (
    <BulkBar
      hidden={{ appId }}
      noun={["referrer", "referrers"]}
      actions={[
        {
          action: update,
          label: "Pause",
          description:
            "Their metacodes stop working until you resume them. Referrals with a code can still be confirmed, and rewards can be claimed.",
          done: "paused",
          children: <input type="hidden" name="status" value="paused" />,
        },
        {
          action: update,
          label: "Resume",
          description: "The metacodes of paused referrers work again while their campaigns are active.",
          done: "resumed",
          children: <input type="hidden" name="status" value="active" />,
        },
      ]}
    />
  );
}
