"use client";

import { Button, buttonClass } from "@/components/ui/button";
import { Field, FormError, SeenValues } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

/** Creates a workspace. */
export function NewWorkspaceForm({ action }: { action: FormAction<never> }) {
  const { state, pending, props } = useForm(action);
  return (
    <form {...props} className="grid gap-4">
      <Field
        label="Name"
        name="name"
        required
        maxLength={80}
        autoComplete="organization"
        hint="Your company or team. You can change it later."
        state={state}
      />
      <FormError state={state} fields={["name"]} />
      <div className="flex gap-2">
        <Button type="submit" pending={pending}>
          Create workspace
        </Button>
        <Link href="/dashboard" className={buttonClass({ variant: "ghost" })}>
          Cancel
        </Link>
      </div>
    </form>
  );
}

interface RenameProps {
  action: FormAction<void>;
  workspaceId: string;
  name: string;
}

/** Renames the workspace. */
export function RenameWorkspaceForm({ action, workspaceId, name }: RenameProps) {
  const { state, pending, props } = useForm(action, () => toast("Name saved"));
  return (
    <form {...props} className="grid max-w-sm justify-items-start gap-4">
      <input type="hidden" name="workspaceId" value={workspaceId} />
      <SeenValues values={{ name }} />
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
        Save name
      </Button>
    </form>
  );
}
