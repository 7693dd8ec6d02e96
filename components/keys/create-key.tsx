"use client";

import { Plus } from "lucide-react";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import { AccessField } from "./access-field";
import type { ShownKey } from "./key-reveal";
import { NewKeyForm } from "./new-key-form";

interface Props {
  action: FormAction<ShownKey>;
  appId: string;
  /** Whether the plan has keys that may do less than everything. */
  custom: boolean;
}

/** The button that opens the form for a new key. */
export function CreateKey(props: Props) {
  return (
    <DialogButton
      label="Create key"
      icon={Plus}
      title="Create an API key"
      description="Give each server or app build a key of its own."
    >
      {(close) => <CreateKeyForm {...props} onClose={close} />}
    </DialogButton>
  );
}

function CreateKeyForm({ action, appId, custom, onClose }: Props & { onClose: () => void }) {
  return (
    <NewKeyForm action={action} hidden={{ appId }} submit="Create key" fields={["name"]} onClose={onClose}>
      {(state) => (
        <>
          <Field
            label="Name"
            name="name"
            required
            maxLength={80}
            placeholder="Production server"
            autoComplete="off"
            state={state}
          />
          <AccessField custom={custom} />
        </>
      )}
    </NewKeyForm>
  );
}
