"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import type { ButtonLook } from "@/components/ui/button";
import { ChoiceCards } from "@/components/ui/choice-cards";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { useSecretReveal } from "@/components/ui/secret-reveal";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { isLocalAddress, type NewSecret, type ProviderGuide } from "@/lib/contract/provider";
import { ProviderMark } from "./connection-list";

interface Props {
  action: FormAction<NewSecret>;
  appId: string;
  guides: readonly ProviderGuide[];
}

/** The button that opens the form for a new provider connection. */
export function CreateConnection(props: Props & { look?: ButtonLook }) {
  return (
    <DialogButton
      label="Connect a provider"
      icon={Plus}
      look={props.look}
      title="Connect a provider"
      byAddress
      description="Your provider reports purchases to this app, and they confirm referrals."
    >
      {(close) => <CreateForm {...props} onClose={close} />}
    </DialogButton>
  );
}

function CreateForm({ action, appId, guides, onClose }: Props & { onClose: () => void }) {
  const reveal = useSecretReveal();
  const [provider, setProvider] = useState(guides[0]?.name ?? "");
  const guide = guides.find(({ name }) => name === provider);
  const { state, pending, props } = useForm(action, ({ url, secret }) => {
    onClose();
    if (!guide) return;
    const rows = [
      { name: "Address", text: url },
      ...(secret === null ? [] : [{ name: guide.secretLabel, text: secret, secret: true }]),
    ];
    const title =
      guide.name === "generic" ? "Send events to this address" : `Add this webhook in ${guide.label}`;
    const warning =
      guide.name !== "generic" && isLocalAddress(url)
        ? `${guide.label} cannot reach this address, because it is local. The secret is shown only this once.`
        : undefined;
    reveal({ title, rows, steps: guide.steps, ...(warning && { warning }) });
  });
  return (
    <form {...props} className="grid gap-5">
      <input type="hidden" name="appId" value={appId} />
      <ChoiceCards
        legend="Provider"
        name="provider"
        value={provider}
        choices={guides.map(({ name, label }) => ({
          value: name,
          name: label,
          mark: <ProviderMark provider={name} />,
        }))}
        onChange={setProvider}
        wide="always"
      />
      <Field
        label="Name"
        name="name"
        optional
        maxLength={60}
        autoComplete="off"
        placeholder={guide?.label}
        state={state}
      />
      {guide?.secretFrom === "provider" && (
        <Field
          label={guide.secretLabel}
          name="secret"
          optional
          autoComplete="off"
          spellCheck={false}
          hint={`${guide.label} creates it, often only once it knows the address. Until you enter it here, deliveries are refused.`}
          state={state}
        />
      )}
      {guide?.signingSecretLabel && (
        <Field
          label={guide.signingSecretLabel}
          name="signingSecret"
          optional
          autoComplete="off"
          spellCheck={false}
          hint={`Only if you enabled signed webhooks at ${guide.label}. You can add it later.`}
          state={state}
        />
      )}
      <FormError state={state} fields={["name", "secret", "signingSecret"]} />
      <FormActions submit="Connect" pending={pending} onCancel={onClose} />
    </form>
  );
}
