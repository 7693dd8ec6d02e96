"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { type CheckMetacode, MetacodeHint, useMetacodeState } from "@/components/referrer/metacode-state";
import { Dialog } from "@/components/ui/dialog";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, SeenValues, TextareaField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import type { MenuDialog } from "@/components/ui/resource-menu";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction, FormState } from "@/lib/contract/form-state";
import type { InfluencerView } from "@/lib/contract/influencer-view";
import { pick } from "@/lib/contract/pick";

interface Props {
  appId: string;
  /** The referrer whose current metacode counts as available. */
  referrerId?: string | undefined;
  value?: string;
  check: CheckMetacode;
  state: FormState;
}

/** A chosen metacode, looked up while it is typed. Only sending the form decides whether it is free. */
function MetacodeField({ appId, referrerId, value = "", check, state }: Props) {
  const [text, setText] = useState(value);
  const known = useMetacodeState(check, { appId, referrerId }, text);
  return (
    <Field
      label="Metacode"
      name="metacode"
      value={text}
      onChange={({ target }) => setText(target.value)}
      maxLength={60}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      required
      state={state}
      hint={<MetacodeHint known={known}>4 to 32 letters a-z and digits. The link ends with it.</MetacodeHint>}
    />
  );
}

interface ProfileProps {
  influencer?: Pick<InfluencerView, "name" | "handle" | "notes">;
  state: FormState;
}

/** The fields that show their own errors. */
const INFLUENCER_FIELDS = ["metacode", "name", "handle", "notes", "uid"];

/** Name, handle and notes of an influencer. */
function ProfileFields({ influencer, state }: ProfileProps) {
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Name"
          name="name"
          defaultValue={influencer?.name ?? ""}
          maxLength={80}
          autoComplete="off"
          optional
          state={state}
          hint="Shown on the landing page."
        />
        <Field
          label="Handle"
          name="handle"
          defaultValue={influencer?.handle ?? ""}
          maxLength={80}
          autoComplete="off"
          placeholder="@anna"
          optional
          state={state}
        />
      </div>
      <TextareaField
        label="Notes"
        name="notes"
        defaultValue={influencer?.notes ?? ""}
        maxLength={2_000}
        rows={3}
        optional
        state={state}
        hint="For your team only."
      />
    </>
  );
}

interface EditProps {
  appId: string;
  influencer: InfluencerView;
  action: FormAction<void>;
  check: CheckMetacode;
  onClose: () => void;
}

/** Edits metacode, name, handle and notes of an influencer. */
export function EditInfluencer({ open, ...props }: EditProps & MenuDialog) {
  const { onClose, influencer } = props;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={`Edit ${influencer.name ?? influencer.metacode}`}
      description="A new metacode works at once. The old one and its link keep working."
    >
      <EditForm {...props} />
    </Dialog>
  );
}

function EditForm({ appId, influencer, action, check, onClose }: EditProps) {
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast("Influencer saved");
  });
  return (
    <form {...props} className="grid gap-4" noValidate>
      <input type="hidden" name="appId" value={appId} />
      <input type="hidden" name="referrerId" value={influencer.id} />
      <SeenValues values={pick(influencer, ["metacode", "name", "handle", "notes"])} />
      <MetacodeField
        appId={appId}
        check={check}
        state={state}
        referrerId={influencer.id}
        value={influencer.metacode}
      />
      <ProfileFields influencer={influencer} state={state} />
      <FormError state={state} fields={INFLUENCER_FIELDS} />
      <FormActions submit="Save" pending={pending} onCancel={onClose} />
    </form>
  );
}

interface AddProps {
  appId: string;
  campaignId: string;
  action: FormAction<{ metacode: string }>;
  check: CheckMetacode;
}

/** The button that opens the form for a new influencer. */
export function AddInfluencer(props: AddProps) {
  return (
    <DialogButton
      label="Add influencer"
      icon={Plus}
      title="Add an influencer"
      description="Influencers get their own metacode and link in this campaign."
    >
      {(close) => <AddForm {...props} onClose={close} />}
    </DialogButton>
  );
}

function AddForm({ appId, campaignId, action, check, onClose }: AddProps & { onClose: () => void }) {
  const { state, pending, props } = useForm(action, ({ metacode }) => {
    onClose();
    toast(`${metacode} is ready to share`);
  });
  return (
    <form {...props} className="grid gap-4" noValidate>
      <input type="hidden" name="appId" value={appId} />
      <input type="hidden" name="campaignId" value={campaignId} />
      <MetacodeField appId={appId} check={check} state={state} />
      <ProfileFields state={state} />
      <Field
        label="User ID in your app"
        name="uid"
        maxLength={255}
        autoComplete="off"
        optional
        state={state}
        hint="With a user ID, the influencer claims rewards in your app. Without one, you claim them here. You cannot change it later."
      />
      <FormError state={state} fields={INFLUENCER_FIELDS} />
      <FormActions submit="Add influencer" pending={pending} onCancel={onClose} />
    </form>
  );
}
