"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<void>;
  appId: string;
  keyId: string;
  name: string;
}

/** Ends a key for good, after a question. */
export function RevokeKey(props: Props) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)} aria-label={`Revoke ${props.name}`}>
        Revoke
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={`Revoke “${props.name}”?`}
        description="Every request with this key is refused from now on. This cannot be undone."
      >
        <RevokeForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

function RevokeForm({ action, appId, keyId, name, onClose }: Props & { onClose: () => void }) {
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast(`“${name}” was revoked`);
  });
  return (
    <form {...props} className="grid gap-5">
      <input type="hidden" name="appId" value={appId} />
      <input type="hidden" name="keyId" value={keyId} />
      <FormError state={state} />
      <FormActions submit="Revoke key" variant="danger" pending={pending} onCancel={onClose} />
    </form>
  );
}
