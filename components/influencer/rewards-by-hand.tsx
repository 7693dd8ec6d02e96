"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field, FormError, HiddenFields, SeenValues, SelectField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import type { MenuDialog } from "@/components/ui/resource-menu";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { ClaimedReward, ClaimResponse } from "@/lib/contract/claim";
import type { Platform } from "@/lib/contract/fields";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount, PLATFORM_NAME, platformChoices } from "@/lib/contract/format";
import type { InfluencerView } from "@/lib/contract/influencer-view";

interface Props<Result> {
  appId: string;
  influencer: InfluencerView;
  action: FormAction<Result>;
  onClose: () => void;
}

type GrantProps = Props<{ numbers: number[] }> & { platforms: readonly Platform[] };

/** Grants rewards by hand. */
export function GrantRewards({ open, ...props }: GrantProps & MenuDialog) {
  const { onClose, influencer } = props;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Grant rewards to ${influencer.name ?? influencer.metacode}`}
      description="The influencer claims them in the app, or you claim them here. Until one is claimed, you can withdraw it on the influencer’s page."
    >
      <GrantForm {...props} />
    </Dialog>
  );
}

function GrantForm({ appId, influencer, platforms, action, onClose }: GrantProps) {
  const { state, pending, props } = useForm(action, ({ numbers }) => {
    onClose();
    toast(`${formatCount(numbers.length, "reward")} granted`);
  });
  return (
    <form {...props} className="grid gap-4" noValidate>
      <HiddenFields values={{ appId, referrerId: influencer.id }} />
      <SeenValues values={{ earned: influencer.earned }} />
      <input type="hidden" name="earned" data-label="Rewards earned" />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Rewards"
          name="rewards"
          defaultValue="1"
          inputMode="numeric"
          autoComplete="off"
          state={state}
        />
        <SelectField label="Platform" name="platform" state={state} choices={platformChoices(platforms)} />
      </div>
      <Field
        label="Reason"
        name="reason"
        maxLength={80}
        autoComplete="off"
        placeholder="Video of 12 November"
        state={state}
        hint="Stored in the audit log."
      />
      <FormError state={state} fields={["rewards", "platform", "reason"]} />
      <FormActions submit="Grant rewards" pending={pending} onCancel={onClose} />
    </form>
  );
}

/** Maximum rewards of one claim, as in claim_rewards.sql. */
const MOST_CLAIMED = 500;

/** Claims the rewards of an influencer and shows their codes once, in a dialog that only its button closes. */
export function ClaimRewards({ open, ...props }: Props<ClaimResponse> & MenuDialog) {
  const [claimed, setClaimed] = useState<ClaimResponse>();
  const close = () => {
    setClaimed(undefined);
    props.onClose();
  };
  const { influencer } = props;
  const waiting = influencer.earned - influencer.claimed - influencer.withdrawn;
  return (
    <Dialog
      open={open}
      onClose={close}
      dismissible={!claimed}
      title={claimed ? claimed.message : `Claim the rewards of ${influencer.name ?? influencer.metacode}?`}
      description={
        claimed
          ? "Copy the codes now. Later only an admin can copy them, on the influencer’s page."
          : `${formatCount(waiting, "reward")} can be claimed${waiting > MOST_CLAIMED ? `, ${MOST_CLAIMED} at a time` : ""}. Each gets a code of the reward pool, and the influencer can no longer claim it in the app.`
      }
    >
      {claimed ? (
        <>
          <ClaimedCodes rewards={claimed.claimed_rewards} />
          <DialogActions>
            <Button onClick={close}>I have passed them on</Button>
          </DialogActions>
        </>
      ) : (
        <ClaimForm {...props} onClaimed={setClaimed} onClose={close} />
      )}
    </Dialog>
  );
}

type ClaimProps = Props<ClaimResponse> & { onClaimed: (claimed: ClaimResponse) => void };

function ClaimForm({ appId, influencer, action, onClaimed, onClose }: ClaimProps) {
  const { state, pending, props } = useForm(action, onClaimed);
  return (
    <form {...props} className="grid gap-4">
      <HiddenFields values={{ appId, referrerId: influencer.id }} />
      <FormError state={state} />
      <FormActions submit="Claim rewards" pending={pending} onCancel={onClose} />
    </form>
  );
}

function ClaimedCodes({ rewards }: { rewards: readonly ClaimedReward[] }) {
  const all = rewards.map(({ code, store_url }) => `${code} ${store_url}`).join("\n");
  return (
    <div className="grid gap-3">
      <ul className="grid max-h-72 divide-y divide-line overflow-y-auto rounded-lg border border-line">
        {rewards.map(({ reward_id, platform, reward_number, code }) => (
          <li key={reward_id} className="flex items-center gap-3 py-1.5 pr-1.5 pl-3.5 text-sm">
            <span className="text-note text-muted">
              {PLATFORM_NAME[platform]} {reward_number}
            </span>
            <code data-testid="reward-code" className="min-w-0 flex-1 font-mono text-note wrap-anywhere">
              {code}
            </code>
            <CopyButton text={code} label={`Copy ${code}`} />
          </li>
        ))}
      </ul>
      <Callout>
        <span className="flex items-center justify-between gap-2">
          All codes with their store links
          <CopyButton text={all} label="Copy all codes with their store links" />
        </span>
      </Callout>
    </div>
  );
}
