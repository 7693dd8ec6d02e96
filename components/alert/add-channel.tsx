"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { HiddenFields } from "@/components/ui/hidden-fields";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import { ALERT_KINDS, type ChannelType } from "@/lib/contract/alerts";
import type { FormAction } from "@/lib/contract/form-state";
import { CHANNEL_WORDS } from "./channel-words";
import { KindChoices } from "./kind-choices";

interface Props {
  action: FormAction<{ id: string }>;
  appId: string;
}

/** The button that opens the form for a new channel. */
export function AddChannel(props: Props) {
  return (
    <DialogButton
      label="Add a channel"
      icon={Plus}
      look={{ variant: "secondary" }}
      title="Add a channel"
      description="A chat or a mailbox that is told as well."
    >
      {(close) => <AddForm {...props} onClose={close} />}
    </DialogButton>
  );
}

function AddForm({ action, appId, onClose }: Props & { onClose: () => void }) {
  const [type, setType] = useState<ChannelType>("slack");
  const { placeholder, target, hint } = CHANNEL_WORDS[type];
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast("Added. Send a test to see that it arrives.");
  });
  return (
    <form {...props} className="grid gap-5">
      <HiddenFields values={{ appId }} />
      <ChoiceCards
        legend="Where to"
        name="type"
        value={type}
        choices={Object.entries(CHANNEL_WORDS).map(([value, { name }]) => ({ value, name }))}
        onChange={(value) => setType(value as ChannelType)}
      />
      <Field
        key={type}
        label={target}
        name="target"
        type={type === "mail" ? "email" : "url"}
        required
        {...{ placeholder, hint, state }}
        autoComplete="off"
        spellCheck={false}
      />
      <Field label="Name" name="name" optional maxLength={60} placeholder="On call" autoComplete="off" />
      <KindChoices chosen={ALERT_KINDS} />
      <FormError state={state} fields={["target"]} />
      <FormActions submit="Add the channel" pending={pending} onCancel={onClose} />
    </form>
  );
}
