import type { ReactNode } from "react";
import { Field } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";

/** Tells password managers the form's account. It is hidden and not sent. */
export function UsernameHint({ email }: { email: string }) {
  return <input type="email" value={email} autoComplete="username" readOnly hidden />;
}

interface PasswordProps {
  state: FormState;
  name?: string;
  label?: string;
  hint?: ReactNode;
}

/** The current password. */
export function PasswordField({ state, name = "password", label = "Password", hint }: PasswordProps) {
  return (
    <Field
      label={label}
      name={name}
      type="password"
      hint={hint}
      autoComplete="current-password"
      required
      state={state}
    />
  );
}

/** A new password, which browsers offer to generate. */
export function NewPasswordField({ state, name = "password", label = "New password" }: PasswordProps) {
  return (
    <Field
      label={label}
      name={name}
      type="password"
      minLength={10}
      maxLength={200}
      hint="At least 10 characters, and not easy to guess."
      autoComplete="new-password"
      required
      state={state}
    />
  );
}

/** A code of the authenticator, or a recovery code. */
export function CodeField({ state, autoFocus = false }: { state: FormState; autoFocus?: boolean }) {
  return (
    <Field
      label="Code"
      name="code"
      hint="6 digits from your authenticator, or one of your recovery codes."
      autoComplete="one-time-code"
      autoCapitalize="characters"
      spellCheck={false}
      required
      state={state}
      autoFocus={autoFocus}
    />
  );
}

/** The account that confirms a change: its address, and whether it has a password. */
export interface Prover {
  email: string;
  hasPassword: boolean;
}

interface ProofProps {
  prover: Prover;
  /** Requires the second factor as well. */
  code: boolean;
}

/** Password and code before a change that a hijacked session must not make. The form shows their errors below. */
export function ProofFields({ prover, code }: ProofProps) {
  return (
    <>
      {prover.hasPassword && <UsernameHint email={prover.email} />}
      {prover.hasPassword && <PasswordField state={{}} />}
      {code && <CodeField state={{}} />}
    </>
  );
}
