"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import type { FormAction } from "@/lib/contract/form-state";
import type { ReferrerStatus } from "@/lib/contract/referrer-list";

interface Props {
  action: FormAction<void>;
  appId: string;
  referrerId: string;
  metacode: string;
  status: ReferrerStatus;
}

/** Pause, resume and end: what can follow the present status, with what it does said first. */
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
              The metacode works for nobody until you resume. Referrals that have a code can still be
              confirmed, and rewards can be claimed.
            </p>
          }
          submit="Pause referrer"
          done="The referrer is paused"
        />
      ) : (
        <ConfirmButton
          {...to("active")}
          label="Resume"
          title="Resume this referrer?"
          description={<p>The metacode works again at once.</p>}
          submit="Resume referrer"
          done="The referrer is active"
        />
      )}
      <ConfirmButton
        {...to("ended")}
        label="End"
        title="End this referrer for good?"
        description={
          <p>
            The metacode never works again, for anyone. Rewards earned so far can still be claimed. This
            cannot be undone.
          </p>
        }
        submit="End referrer"
        danger
        typed={metacode}
        done="The referrer has ended"
      />
    </div>
  );
}
