"use client";

import { DialogButton } from "@/components/ui/dialog-button";
import { SelectField } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import { GRACE_CHOICES } from "@/lib/contract/grace";
import type { ShownKey } from "./key-reveal";
import { NewKeyForm } from "./new-key-form";

interface Props {
  action: FormAction<ShownKey>;
  appId: string;
  keyId: string;
  name: string;
}

/** Replaces a key by a new one; the old one may go on working for a while. */
export function RotateKey(props: Props) {
  return (
    <DialogButton
      label="Rotate"
      look={{ variant: "secondary", size: "sm" }}
      ariaLabel={`Rotate ${props.name}`}
      title={`Rotate “${props.name}”`}
      description="You get a new key with the same name and access."
    >
      {(close) => <RotateForm {...props} onClose={close} />}
    </DialogButton>
  );
}

function RotateForm({ action, appId, keyId, onClose }: Props & { onClose: () => void }) {
  return (
    <NewKeyForm action={action} hidden={{ appId, keyId }} submit="Rotate key" onClose={onClose}>
      {() => <SelectField label="The old key" name="grace" defaultValue="24h" choices={GRACE_CHOICES} />}
    </NewKeyForm>
  );
}
