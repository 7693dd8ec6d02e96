"use client";

import { Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { inputClass } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<{ code: string }>;
  appId: string;
  assignmentId: string;
  /** Where several stand in a list. */
  ariaLabel?: string;
}

/** Puts the whole code on the clipboard; where the browser refuses, it is shown to be copied by hand. */
export function CopyCode({ action, appId, assignmentId, ariaLabel }: Props) {
  const [asking, setAsking] = useState(false);
  const [shown, setShown] = useState<string>();
  const copy = async ({ code }: { code: string }) => {
    try {
      await navigator.clipboard.writeText(code);
      toast("The code is on the clipboard");
    } catch {
      setShown(code);
    }
  };
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)} aria-label={ariaLabel}>
        <Copy className="size-4" aria-hidden />
        Copy code
      </Button>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        action={action}
        hidden={{ appId, assignmentId }}
        title="Copy the whole code?"
        description={
          <p>Whoever has it can redeem it in the store. The audit log remembers that you took it.</p>
        }
        submit="Copy code"
        onDone={copy}
      />
      <Dialog open={shown !== undefined} onClose={() => setShown(undefined)} title="Copy this code">
        <input
          readOnly
          value={shown ?? ""}
          aria-label="Code"
          onFocus={(event) => event.target.select()}
          className={`${inputClass} font-mono`}
        />
      </Dialog>
    </>
  );
}
