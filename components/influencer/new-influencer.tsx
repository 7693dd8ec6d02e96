"use client";

import { Plus } from "lucide-react";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { type AskMetacode, MetacodeField } from "./metacode-field";
import { INFLUENCER_FIELDS, ProfileFields } from "./profile-fields";

interface Props {
  appId: string;
  campaignId: string;
  action: FormAction<{ metacode: string }>;
  ask: AskMetacode;
}

/** The button that opens the form for an influencer. */
export function NewInfluencer(props: Props) {
  return (
    <DialogButton
      label="Add influencer"
      icon={Plus}
      title="Add an influencer"
      description="Somebody with a metacode and link of their own in this campaign."
    >
      {(close) => <NewForm {...props} onClose={close} />}
    </DialogButton>
  );
}

function NewForm({ appId, campaignId, action, ask, onClose }: Props & { onClose: () => void }) {
  const { state, pending, props } = useForm(action, ({ metacode }) => {
    onClose();
    toast(`${metacode} is ready to be shared`);
  });
  return (
    <form {...props} className="grid gap-4" noValidate>
      <input type="hidden" name="appId" value={appId} />
      <input type="hidden" name="campaignId" value={campaignId} />
      <MetacodeField {...{ appId, ask, state }} />
      <ProfileFields state={state} />
      <Field
        label="User ID in your app"
        name="uid"
        maxLength={255}
        autoComplete="off"
        optional
        state={state}
        hint="With it the influencer claims rewards in the app. Without it you hand them out here. It cannot be changed later."
      />
      <FormError state={state} fields={INFLUENCER_FIELDS} />
      <FormActions submit="Add influencer" pending={pending} onCancel={onClose} />
    </form>
  );
}
