import type { ReactNode } from "react";
import { Field } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";

interface Props {
  state: FormState;
  name?: string;
  label?: string;
  hint?: ReactNode;
}

/** The password that somebody has. */
export function PasswordField({ state, name = "password", label = "Password", hint }: Props) {
  const more = { hint, autoComplete: "current-password", required: true, state };
  return <Field label={label} name={name} type="password" {...more} />;
}

/** A password that somebody makes up; browsers offer to do so. */
export function NewPasswordField({ state, name = "password", label = "New password" }: Props) {
  const length = { minLength: 10, maxLength: 200, required: true };
  const more = { hint: "10 characters or more, any you like.", autoComplete: "new-password", state };
  return <Field label={label} name={name} type="password" {...length} {...more} />;
}

/** A password of the authenticator, or a recovery code. */
export function CodeField({ state, autoFocus = false }: { state: FormState; autoFocus?: boolean }) {
  const hint = "6 digits from your authenticator, or one of your recovery codes.";
  const typing = { autoComplete: "one-time-code", autoCapitalize: "characters", spellCheck: false };
  return (
    <Field label="Code" name="code" hint={hint} {...typing} required state={state} autoFocus={autoFocus} />
  );
}
