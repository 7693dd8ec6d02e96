"use client";

import Link from "next/link";
import { Button, buttonClass } from "@/components/ui/button";
import { Field, FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

/** The name of a new workspace. */
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
        hint="Your company or team. It can be changed later."
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
