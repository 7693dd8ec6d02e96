"use client";

import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { PasswordField } from "./password-field";
import { Username } from "./username";

interface Props {
  action: FormAction<never>;
  token: string;
  email: string;
  next: string;
}

/** Ends a sign-up with the password that it was begun with. */
export function VerifyForm({ action, token, email, next }: Props) {
  const { state, pending, props } = useForm(action);
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="next" value={next} />
      <Username email={email} />
      <PasswordField state={state} hint="The one that you chose just now." />
      <FormError state={state} fields={["password"]} />
      <Button type="submit" size="lg" pending={pending}>
        Confirm and go on
      </Button>
    </form>
  );
}
