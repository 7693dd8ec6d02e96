"use client";

import { Button } from "@/components/ui/button";
import { Field, FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { MailPlace } from "@/lib/contract/mail-place";
import { CheckMail } from "./check-mail";
import { NewPasswordField } from "./password-field";
import { Username } from "./username";

/** Asks for the mail with the way to a new password. */
export function AskResetForm({ action, place }: { action: FormAction; place: MailPlace }) {
  const { state, pending, props } = useForm(action);
  if (state.ok) {
    return <CheckMail place={place} what="If there is an account, a link to a new password is on its way." />;
  }
  return (
    <form {...props} className="grid gap-4">
      <Field label="E-mail" name="email" type="email" autoComplete="username" required state={state} />
      <FormError state={state} fields={["email"]} />
      <Button type="submit" size="lg" pending={pending}>
        Send me a link
      </Button>
    </form>
  );
}

interface ResetProps {
  action: FormAction<never>;
  token: string;
  email: string;
}

/** Takes the new password. */
export function ResetForm({ action, token, email }: ResetProps) {
  const { state, pending, props } = useForm(action);
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="token" value={token} />
      <Username email={email} />
      <NewPasswordField state={state} />
      <FormError state={state} fields={["password"]} />
      <Button type="submit" size="lg" pending={pending}>
        Set the password
      </Button>
    </form>
  );
}
