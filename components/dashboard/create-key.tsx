"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field, FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { AccessField } from "./access-field";
import { type ShownKey, useKeyReveal } from "./key-reveal";

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
  const reveal = useKeyReveal();
  const { state, pending, props } = useForm(action, (shown) => {
    onClose();
    reveal(shown);
  });
  return (
    <form {...props} className="grid gap-5">
      <input type="hidden" name="appId" value={appId} />
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
      <FormError state={state} fields={["name"]} />
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" pending={pending}>
          Create key
        </Button>
      </DialogActions>
    </form>
  );
}
