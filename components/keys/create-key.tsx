"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
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
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden />
        Create key
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title="Create an API key"
        description="Give each server or app build a key of its own."
      >
        <CreateKeyForm {...props} onClose={close} />
      </Dialog>
    </>
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
