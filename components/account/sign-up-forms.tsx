"use client";

import { useId } from "react";
import { Button } from "@/components/ui/button";
import { Field, FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { EntryProps, LinkProps, SentEmail } from "@/lib/contract/form-state";
import { CheckEmail } from "./auth-page";
import { EmailField, NewPasswordField, PasswordField, UsernameHint } from "./fields";

/** Starts an account; the link in the email completes it. */
export function SignUpForm({ action, next, invited }: EntryProps<SentEmail>) {
  const { state, pending, props } = useForm(action);
  const form = useId();
  return (
    <>
      {state.ok && (
        <CheckEmail
          sent={state.ok.result}
          what="Open the link in the email to"
          again={`/sign-up?next=${encodeURIComponent(next)}`}
          resend={{ form, pending }}
        />
      )}
      <form {...props} id={form} hidden={state.ok !== undefined} className="grid gap-4">
        <input type="hidden" name="next" value={next} />
        <Field label="Name" name="name" autoComplete="name" maxLength={100} required state={state} />
        <EmailField state={state} invited={invited} />
        <NewPasswordField label="Password" state={state} />
        <FormError state={state} fields={["name", "email", "password"]} />
        <Button type="submit" size="lg" pending={pending}>
          Sign up
        </Button>
      </form>
    </>
  );
}

/** Completes a sign-up with the password chosen at its start. */
export function VerifyForm({ action, token, email, next }: LinkProps) {
  const { state, pending, props } = useForm(action);
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="next" value={next} />
      <UsernameHint email={email} />
      <PasswordField state={state} hint="The password you chose when you signed up." />
      <FormError state={state} fields={["password"]} />
      <Button type="submit" size="lg" pending={pending}>
        Confirm and continue
      </Button>
    </form>
  );
}
