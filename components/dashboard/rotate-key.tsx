"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { inputClass } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import type { ShownKey } from "./key-reveal";
import { NewKeyForm } from "./new-key-form";

interface Props {
  action: FormAction<ShownKey>;
  appId: string;
  keyId: string;
  name: string;
}

const GRACE = [
  { value: "now", name: "Stops at once" },
  { value: "1h", name: "Works for 1 more hour" },
  { value: "24h", name: "Works for 24 more hours" },
  { value: "7d", name: "Works for 7 more days" },
];

/** Replaces a key by a new one; the old one may go on working for a while. */
export function RotateKey(props: Props) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setOpen(true)} aria-label={`Rotate ${props.name}`}>
        Rotate
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={`Rotate “${props.name}”`}
        description="You get a new key with the same name and access."
      >
        <RotateForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

function RotateForm({ action, appId, keyId, onClose }: Props & { onClose: () => void }) {
  return (
    <NewKeyForm action={action} hidden={{ appId, keyId }} submit="Rotate key" onClose={onClose}>
      {() => (
        <label className="grid gap-1.5 text-sm font-medium">
          The old key
          <select name="grace" defaultValue="24h" className={inputClass}>
            {GRACE.map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
    </NewKeyForm>
  );
}
