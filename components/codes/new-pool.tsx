"use client";

import { Plus } from "lucide-react";
import type { ButtonLook } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
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
  return (
    <DialogButton
      label="New pool"
      icon={Plus}
      look={look}
      title="Make a pool"
      description="A pool holds codes of one store, either for referees or for rewards. Campaigns take codes from it."
    >
      {(close) => {
        const done = ({ id }: { id: string }) => {
          close();
          toast("The pool was made");
          onMade?.(id);
        };
        return <PoolForm action={action} appId={appId} onDone={done} onCancel={close} />;
      }}
    </DialogButton>
  );
}
