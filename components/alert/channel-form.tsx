"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { CheckGroup } from "@/components/ui/check-group";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, HiddenFields } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction, FormState } from "@/lib/contract/form-state";
import { ALERT_GROUPS, ALERT_KINDS, type AlertKind, type ChannelType } from "@/lib/contract/problems";

interface ChannelLabels {
  name: string;
  /** The label of its address. */
  target: string;
  placeholder: string;
  hint: string;
}

const CHANNEL_LABELS: Record<ChannelType, ChannelLabels> = {
  slack: {
    name: "Slack or a compatible chat",
    target: "Incoming webhook",
    placeholder: "https://hooks.slack.com/services/…",
    hint: "In Slack: Apps, Incoming Webhooks, Add to a channel. Mattermost and Rocket.Chat have the same.",
  },
  discord: {
    name: "Discord",
    target: "Webhook URL",
    placeholder: "https://discord.com/api/webhooks/…",
    hint: "In Discord: the channel’s settings, Integrations, Webhooks, New webhook.",
  },
  mail: {
    name: "Email",
    target: "Email address",
    placeholder: "oncall@example.com",
    hint: "In addition to the owners and admins, who always get an email.",
  },
};

const TYPE_CHOICES = Object.entries(CHANNEL_LABELS).map(([value, { name }]) => ({ value, name }));

const KIND_CHOICES = Object.entries(ALERT_GROUPS).flatMap(([group, kinds]) =>
  Object.entries<readonly [name: string, hint: string]>(kinds).map(([value, [name, hint]]) => ({
    value,
    name,
    hint,
    group,
  })),
);

/** The kinds of alerts that a channel gets. */
export function KindChoices({ chosen, state }: { chosen: readonly AlertKind[]; state: FormState }) {
  return (
    <CheckGroup legend="Notify about" name="kinds" choices={KIND_CHOICES} chosen={chosen} state={state} />
  );
}

interface AddProps {
  action: FormAction<{ id: string }>;
  appId: string;
}

/** The button that opens the form for a new channel. */
export function AddChannel(props: AddProps) {
  return (
    <DialogButton
      label="Add channel"
      icon={Plus}
      look={{ variant: "secondary" }}
      title="Add a channel"
      byAddress
      wide
      description="A chat or a mailbox that gets alerts as well."
    >
      {(close) => <AddForm {...props} onClose={close} />}
    </DialogButton>
  );
}

function AddForm({ action, appId, onClose }: AddProps & { onClose: () => void }) {
  const [type, setType] = useState<ChannelType>("slack");
  const { placeholder, target, hint } = CHANNEL_LABELS[type];
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast("Channel added. Send a test to check that it arrives.");
  });
  return (
    <form {...props} className="grid gap-5">
      <HiddenFields values={{ appId }} />
      <ChoiceCards
        legend="Type"
        name="type"
        value={type}
        choices={TYPE_CHOICES}
        onChange={(value) => setType(value as ChannelType)}
        wide="three"
      />
      <div className="grid gap-5 sm:grid-cols-[2fr_1fr]">
        <Field
          key={type}
          label={target}
          name="target"
          type={type === "mail" ? "email" : "url"}
          required
          placeholder={placeholder}
          hint={hint}
          state={state}
          autoComplete="off"
          spellCheck={false}
        />
        <Field label="Name" name="name" optional maxLength={60} placeholder="On call" autoComplete="off" />
      </div>
      <KindChoices chosen={ALERT_KINDS} state={state} />
      <FormError state={state} fields={["target", "kinds"]} />
      <FormActions submit="Add channel" pending={pending} onCancel={onClose} />
    </form>
  );
}
