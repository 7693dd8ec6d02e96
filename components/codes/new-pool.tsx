"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { Button, type ButtonLook } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { toast } from "@/components/ui/toast";
import type { FormAction } from "@/lib/contract/form-state";
import { PoolForm } from "./pool-form";

export interface NewPoolProps {
  action: FormAction<{ id: string }>;
  appId: string;
  look?: ButtonLook;
  onMade?: (id: string) => void;
}

/** The button that opens the form for a new pool. */
export function NewPool({ action, appId, look = { variant: "secondary" }, onMade }: NewPoolProps) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const done = ({ id }: { id: string }) => {
    close();
    toast("The pool was made");
    onMade?.(id);
  };
  return (
    <>
      <Button {...look} onClick={() => setOpen(true)}>
        <Plus className="size-4" aria-hidden />
        New pool
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title="Make a pool"
        description="A pool holds codes of one store, either for referees or for rewards. Campaigns take codes from it."
      >
        <PoolForm action={action} appId={appId} onDone={done} onCancel={close} />
      </Dialog>
    </>
  );
}
