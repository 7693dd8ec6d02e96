"use client";

import { KeyRound } from "lucide-react";
import { type ChangeEvent, useState } from "react";
import type { ButtonLook } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, TextareaField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<{ trouble: string | null }>;
  appId: string;
  label: string;
  title: string;
  look?: ButtonLook;
}

/** The button that opens the form for an App Store Connect key. */
export function KeyForm({ label, title, look, ...form }: Props) {
  return (
    <DialogButton
      label={label}
      icon={KeyRound}
      look={look}
      title={title}
      description="The key is stored encrypted on this server, never shown again, and used only for offers and codes."
    >
      {(close) => <Form {...form} onClose={close} />}
    </DialogButton>
  );
}

function Form({ action, appId, onClose }: Pick<Props, "action" | "appId"> & { onClose: () => void }) {
  const [pem, setPem] = useState("");
  const { state, pending, props } = useForm(action, ({ trouble }) => {
    onClose();
    toast(trouble ? "Key saved, but it does not work yet" : "The key works");
  });
  const readFile = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? [];
    if (file && file.size < 10_000) setPem(await file.text());
  };
  const plain = { autoComplete: "off", spellCheck: false, required: true, state };
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="appId" value={appId} />
      <Field
        {...plain}
        label="Issuer ID"
        name="issuerId"
        placeholder="57246542-96fe-1a63-e053-0824d011072a"
      />
      <Field {...plain} label="Key ID" name="keyId" placeholder="2X9R4HXF34" />
      <label className="grid gap-1.5 text-sm font-medium">
        Private key file
        <input
          type="file"
          accept=".p8"
          onChange={readFile}
          className="w-full min-w-0 text-sm font-normal text-muted file:mr-3 file:h-9 file:rounded-md file:border file:border-line file:bg-surface file:px-3 file:text-sm file:font-medium file:text-ink"
        />
      </label>
      <TextareaField
        {...plain}
        label="Or paste its content"
        name="privateKey"
        rows={3}
        value={pem}
        onChange={({ target }) => setPem(target.value)}
        placeholder="-----BEGIN PRIVATE KEY-----"
      />
      <FormError state={state} fields={["issuerId", "keyId", "privateKey"]} />
      <FormActions submit="Save key" pending={pending} onCancel={onClose} />
    </form>
  );
}
