"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { useForm } from "@/components/ui/use-form";
import { PLATFORM_NAME } from "@/lib/contract/campaign-view";
import type { ClaimedReward, ClaimResponse } from "@/lib/contract/claim";
import type { FormAction } from "@/lib/contract/form-state";
import type { InfluencerView } from "@/lib/contract/influencer-view";

interface Props {
  appId: string;
  influencer: InfluencerView;
  action: FormAction<ClaimResponse>;
  onClose: () => void;
}

/** Takes the codes of an influencer's rewards and shows them once: only a press on the button closes them. */
export function HandOut({ open, ...props }: Props & { open: boolean }) {
  const [given, setGiven] = useState<ClaimResponse>();
  const close = () => {
    setGiven(undefined);
    props.onClose();
  };
  const { influencer } = props;
  const waiting = influencer.earned - influencer.claimed;
  return (
    <Dialog
      open={open}
      onClose={close}
      dismissible={!given}
      title={given ? given.message : `Hand out codes to ${influencer.name ?? influencer.metacode}?`}
      description={
        given
          ? "Copy them now: they are not shown again."
          : `${waiting === 1 ? "1 reward waits" : `${waiting} rewards wait`}. Each gets a code of the reward pool and counts as claimed; the influencer cannot claim it again in the app.`
      }
    >
      {given ? (
        <>
          <Codes rewards={given.claimed_rewards} />
          <DialogActions>
            <Button onClick={close}>I have passed them on</Button>
          </DialogActions>
        </>
      ) : (
        <Ask {...props} onGiven={setGiven} onClose={close} />
      )}
    </Dialog>
  );
}

function Ask({
  appId,
  influencer,
  action,
  onGiven,
  onClose,
}: Props & { onGiven: (given: ClaimResponse) => void }) {
  const { state, pending, props } = useForm(action, onGiven);
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="appId" value={appId} />
      <input type="hidden" name="referrerId" value={influencer.id} />
      <FormError state={state} />
      <FormActions submit="Take the codes" pending={pending} onCancel={onClose} />
    </form>
  );
}

function Codes({ rewards }: { rewards: readonly ClaimedReward[] }) {
  const all = rewards.map(({ code, store_url }) => `${code} ${store_url}`).join("\n");
  return (
    <div className="grid gap-3">
      <ul className="grid max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line">
        {rewards.map(({ reward_id, platform, reward_number, code }) => (
          <li key={reward_id} className="flex items-center gap-3 py-1.5 pr-1.5 pl-3.5 text-sm">
            <span className="text-[13px] text-muted">
              {PLATFORM_NAME[platform]} {reward_number}
            </span>
            <code data-testid="reward-code" className="min-w-0 flex-1 font-mono text-[13px] break-all">
              {code}
            </code>
            <CopyButton text={code} label={`Copy ${code}`} />
          </li>
        ))}
      </ul>
      <Callout>
        <span className="flex items-center justify-between gap-2">
          All of them with their store links
          <CopyButton text={all} label="Copy all codes with their store links" />
        </span>
      </Callout>
    </div>
  );
}
