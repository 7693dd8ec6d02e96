"use client";

import { useId } from "react";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { EntryProps, LinkProps, SentEmail } from "@/lib/contract/form-state";
import { CheckEmail } from "./auth-page";
import { EmailField, NewPasswordField, UsernameHint } from "./fields";

/** The notice promises nothing: the address may have no account. */
export const RESET_NOTICE = "If this address has an account, a link to set a new password is in the email to";

/** Requests the email with a link to set a new password. */
export function RequestResetForm({ action, next, invited }: EntryProps<SentEmail>) {
  const { state, pending, props } = useForm(action);
  const form = useId();
  return (
    <>
      {state.ok && (
        <CheckEmail
          sent={state.ok.result}
          what={RESET_NOTICE}
          again={`/reset?next=${encodeURIComponent(next)}`}
          resend={{ form, pending }}
        />
      )}
      <form {...props} id={form} hidden={state.ok !== undefined} className="grid gap-4">
        <input type="hidden" name="next" value={next} />
        <EmailField state={state} invited={invited} />
        <FormError state={state} fields={["email"]} />
        <Button type="submit" size="lg" pending={pending}>
          Send link
        </Button>
      </form>
    </>
  );
}

/** Sets the new password. */
export function ResetForm({ action, token, email, next }: LinkProps) {
  const { state, pending, props } = useForm(action);
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="token" value={token} />
      <input type="hidden" name="next" value={next} />
      <UsernameHint email={email} />
      <NewPasswordField state={state} />
      <FormError state={state} fields={["password"]} />
      <Button type="submit" size="lg" pending={pending}>
        Set password
      </Button>
    </form>
  );
}
