"use client";

import { Button } from "@/components/ui/button";
import { Field, FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { MailPlace } from "@/lib/contract/mail-place";
import { CheckMail } from "./check-mail";
import { NewPasswordField } from "./password-field";

interface Props {
  action: FormAction;
  next: string;
  place: MailPlace;
}

/** Begins an account; the mail that follows ends it. */
export function SignUpForm({ action, next, place }: Props) {
  const { state, pending, props } = useForm(action);
  if (state.ok) {
    return <CheckMail place={place} what="We sent you a link. Open it to confirm your address and go on." />;
  }
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="next" value={next} />
      <Field label="Name" name="name" autoComplete="name" maxLength={100} required state={state} />
      <Field label="E-mail" name="email" type="email" autoComplete="username" required state={state} />
      <NewPasswordField label="Password" state={state} />
      <FormError state={state} fields={["name", "email", "password"]} />
      <Button type="submit" size="lg" pending={pending}>
        Sign up
      </Button>
    </form>
  );
}
