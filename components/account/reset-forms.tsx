"use client";

import { useId } from "react";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction, SentEmail } from "@/lib/contract/form-state";
import { CheckEmail } from "./auth-page";
import { EmailField, NewPasswordField, UsernameHint } from "./fields";

/** Requests the email with a link to set a new password. */
export function RequestResetForm({ action }: { action: FormAction<SentEmail> }) {
  const { state, pending, props } = useForm(action);
  const form = useId();
  return (
    <>
      {state.ok && (
        <CheckEmail
          sent={state.ok.result}
          what="If an account with this address exists, an email has a link to set a new password:"
          again="/reset"
          resend={{ form, pending }}
        />
      )}
      <form {...props} id={form} hidden={state.ok !== undefined} className="grid gap-4">
        <EmailField state={state} />
        <FormError state={state} fields={["email"]} />
        <Button type="submit" size="lg" pending={pending}>
          Send link
        </Button>
      </form>
    </>
  );
}

interface ResetProps {
  action: FormAction<never>;
  token: string;
  email: string;
}

/** Sets the new password. */
export function ResetForm({ action, token, email }: ResetProps) {
  const { state, pending, props } = useForm(action);
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="token" value={token} />
      <UsernameHint email={email} />
      <NewPasswordField state={state} />
      <FormError state={state} fields={["password"]} />
      <Button type="submit" size="lg" pending={pending}>
        Set password
      </Button>
    </form>
  );
}
