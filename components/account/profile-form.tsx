"use client";

import { Button } from "@/components/ui/button";
import { Field, FormError } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<void>;
  name: string;
  email: string;
}

/** What a person is called, and the address they sign in with. */
export function ProfileForm({ action, name, email }: Props) {
  const { state, pending, props } = useForm(action, () => toast("Name saved"));
  return (
    <form {...props} className="grid max-w-md gap-4">
      <Field label="Name" name="name" maxLength={100} defaultValue={name} required state={state} />
      <div className="grid gap-1.5 text-sm">
        <span className="font-medium">E-mail</span>
        <span className="break-all text-muted">{email}</span>
      </div>
      <FormError state={state} fields={["name"]} />
      <div>
        <Button type="submit" pending={pending}>
          Save name
        </Button>
      </div>
    </form>
  );
}
