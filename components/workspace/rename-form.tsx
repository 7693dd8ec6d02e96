"use client";

import { Button } from "@/components/ui/button";
import { Field, FormError } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<void>;
  workspaceId: string;
  name: string;
}

/** Gives the workspace another name. */
export function RenameForm({ action, workspaceId, name }: Props) {
  const { state, pending, props } = useForm(action, () => toast("The name was changed"));
  return (
    <form {...props} className="grid max-w-sm justify-items-start gap-4">
      <input type="hidden" name="workspaceId" value={workspaceId} />
      <div className="w-full">
        <Field
          label="Name"
          name="name"
          defaultValue={name}
          required
          maxLength={80}
          autoComplete="off"
          state={state}
        />
      </div>
      <FormError state={state} fields={["name"]} />
      <Button type="submit" pending={pending}>
        Save
      </Button>
    </form>
  );
}
