"use client";

import { Dialog } from "@/components/ui/dialog";
import { Field, FormError, SelectField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import { PLATFORM_NAME } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import type { FormAction } from "@/lib/contract/form-state";
import type { InfluencerView } from "@/lib/contract/influencer-view";

interface Props {
  appId: string;
  influencer: InfluencerView;
  platforms: readonly Platform[];
  action: FormAction<{ numbers: number[] }>;
  onClose: () => void;
}

/** Rewards by hand, as a dialog. */
export function GrantRewards(props: Props & { open: boolean }) {
  const { open, onClose, influencer } = props;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Grant rewards to ${influencer.name ?? influencer.metacode}`}
      description="They are claimed in the app, or you hand out their codes here. A reward that is granted is never taken back."
    >
      <GrantForm {...props} />
    </Dialog>
  );
}

function GrantForm({ appId, influencer, platforms, action, onClose }: Props) {
  const { state, pending, props } = useForm(action, ({ numbers }) => {
    onClose();
    toast(numbers.length === 1 ? "1 reward granted" : `${numbers.length} rewards granted`);
  });
  return (
    <form {...props} className="grid gap-4" noValidate>
      <input type="hidden" name="appId" value={appId} />
      <input type="hidden" name="referrerId" value={influencer.id} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Rewards"
          name="rewards"
          defaultValue="1"
          inputMode="numeric"
          autoComplete="off"
          state={state}
        />
        <SelectField
          label="Platform"
          name="platform"
          state={state}
          choices={platforms.map((value) => ({ value, name: PLATFORM_NAME[value] }))}
        />
      </div>
      <Field
        label="Reason"
        name="reason"
        maxLength={80}
        autoComplete="off"
        placeholder="Video of 12 November"
        state={state}
        hint="Kept in the audit log."
      />
      <FormError state={state} fields={["rewards", "platform", "reason"]} />
      <FormActions submit="Grant" pending={pending} onCancel={onClose} />
    </form>
  );
}
