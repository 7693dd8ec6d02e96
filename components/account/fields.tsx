"use client";

import { type ComponentProps, type ReactNode, useState } from "react";
import { Field } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import type { FormState } from "@/lib/contract/form-state";

/** Tells password managers the form's account. It is hidden and not sent. */
export function UsernameHint({ email }: { email: string }) {
  return <input type="email" value={email} autoComplete="username" readOnly hidden />;
}

const EMAIL = { label: "Email", name: "email", type: "email", autoComplete: "username", required: true };

/** The address of an account; fixed for an invitation, which only the invited address can accept. */
export function EmailField({ state, invited }: { state: FormState; invited?: string | undefined }) {
  const hint = invited && "Only this address can accept the invitation.";
  return <Field {...EMAIL} state={state} defaultValue={invited} readOnly={Boolean(invited)} hint={hint} />;
}

interface PasswordProps {
  /** Absent inside a confirmation dialog, which provides its own state. */
  state?: FormState;
  name?: string;
  label?: string;
  hint?: ReactNode;
}

/** A password, which its owner can make visible while typing. */
function SecretField(props: ComponentProps<typeof Field>) {
  const [shown, setShown] = useState(false);
  return (
    <div className="relative">
      <Field {...props} type={shown ? "text" : "password"} autoCapitalize="none" spellCheck={false} />
      <button
        type="button"
        onClick={() => setShown(!shown)}
        className="absolute -top-0.5 right-0 min-h-6 rounded-sm text-note text-muted underline-offset-4 hover:text-ink hover:underline"
      >
        {shown ? "Hide" : "Show"}
        <span className="sr-only"> {props.label.toLowerCase()}</span>
      </button>
    </div>
  );
}

/** The current password. */
export function PasswordField({ state, name = "password", label = "Password", hint }: PasswordProps) {
  return (
    <SecretField
      label={label}
      name={name}
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
    <SecretField
      label={label}
      name={name}
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
export function CodeField({ state, autoFocus = false }: { state?: FormState; autoFocus?: boolean }) {
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

/** The password, or a recent sign-in, and the code, before a change that a hijacked session must not make. */
export function ProofFields({ prover, code }: ProofProps) {
  return (
    <>
      {prover.hasPassword && <UsernameHint email={prover.email} />}
      {prover.hasPassword ? (
        <PasswordField />
      ) : (
        <p className="text-sm text-muted">
          You have no password, so this needs a sign-in within the last 10 minutes.{" "}
          <Link href="/sign-in?again=1&next=%2Fdashboard%2Faccount" className="underline">
            Sign in again
          </Link>
        </p>
      )}
      {code && <CodeField />}
    </>
  );
}
