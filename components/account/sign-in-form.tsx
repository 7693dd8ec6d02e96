"use client";

import { Button } from "@/components/ui/button";
import { Field, FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { PasswordField } from "./password-field";

/** Asks for e-mail and password; `next` is the page to go on to. */
export function SignInForm({ action, next }: { action: FormAction<never>; next: string }) {
  const { state, pending, props } = useForm(action);
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="next" value={next} />
      <Field label="E-mail" name="email" type="email" autoComplete="username" required state={state} />
      <PasswordField state={state} />
      <FormError state={state} fields={["email", "password"]} />
      <Button type="submit" size="lg" pending={pending}>
        Sign in
      </Button>
    </form>
  );
}
