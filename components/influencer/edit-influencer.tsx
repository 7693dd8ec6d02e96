"use client";

import { Dialog } from "@/components/ui/dialog";
import { FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { InfluencerView } from "@/lib/contract/influencer-view";
import { type AskMetacode, MetacodeField } from "./metacode-field";
import { INFLUENCER_FIELDS, ProfileFields } from "./profile-fields";

interface Props {
  appId: string;
  influencer: InfluencerView;
  action: FormAction<void>;
  ask: AskMetacode;
  onClose: () => void;
}

/** Metacode, name, handle and notes of an influencer, as a dialog. */
export function EditInfluencer(props: Props & { open: boolean }) {
  const { open, onClose, influencer } = props;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Edit ${influencer.name ?? influencer.metacode}`}
      description="A new metacode works at once; the old one and its link stop working and stay reserved."
    >
      <EditForm {...props} />
    </Dialog>
  );
}

function EditForm({ appId, influencer, action, ask, onClose }: Props) {
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast("Saved");
  });
  return (
    <form {...props} className="grid gap-4" noValidate>
      <input type="hidden" name="appId" value={appId} />
      <input type="hidden" name="referrerId" value={influencer.id} />
      <MetacodeField {...{ appId, ask, state }} referrerId={influencer.id} value={influencer.metacode} />
      <ProfileFields influencer={influencer} state={state} />
      <FormError state={state} fields={INFLUENCER_FIELDS} />
      <FormActions submit="Save" pending={pending} onCancel={onClose} />
    </form>
  );
}
