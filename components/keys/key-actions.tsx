"use client";

import type { ReactNode } from "react";
import { forgetRevokedKey, isSandboxKey, useSandboxKey } from "@/components/docs/sandbox-key";
import { ConfirmButton } from "@/components/ui/confirm";
import { DialogButton } from "@/components/ui/dialog-button";
import { FormError, HiddenFields, SelectField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { useSecretReveal } from "@/components/ui/secret-reveal";
import { useForm } from "@/components/ui/use-form";
import { type KeySummary, SCOPES, type Scope } from "@/lib/contract/api-key";
import type { FormAction, FormState } from "@/lib/contract/form-state";
import { GRACE_CHOICES } from "@/lib/contract/grace";
import { firstRequestRow } from "./try-key";

/** A new key, whose text exists only here and in the app that uses it. */
export interface NewKey {
  id: string;
  key: string;
  scopes: readonly Scope[];
}

interface FormProps {
  action: FormAction<NewKey>;
  /** Values sent with the fields. */
  hidden: Record<string, string>;
  submit: string;
  /** Fields that show their own errors. */
  fields?: string[];
  onClose: () => void;
  /** Whether the key comes with a first request, unlike the successor of a key in use. */
  first?: boolean;
  children: (state: FormState<NewKey>) => ReactNode;
}

/** A form that creates a key and shows it once. */
export function NewKeyForm({ action, hidden, submit, fields, onClose, first, children }: FormProps) {
  const reveal = useSecretReveal();
  const { store } = useSandboxKey();
  const { state, pending, props } = useForm(action, ({ key, scopes }) => {
    onClose();
    // Some samples would be refused with any other key.
    const fills = isSandboxKey(key) && scopes.length === SCOPES.length;
    if (fills) store(key);
    const use = fills ? " The samples of the documentation in this browser use it until you sign out." : "";
    reveal({
      title: "Your new API key",
      description: `Copy it now and put it into your app or server.${use}`,
      rows: [
        { name: "API key", text: key, secret: true, testId: "api-key" },
        ...(first ? firstRequestRow(window.location.origin, key, scopes) : []),
      ],
      warning:
        "The key is shown only this once. Store it as a secret: anyone who has it can act for your app.",
      done: "I have stored the key",
    });
  });
  return (
    <form {...props} className="grid gap-5">
      <HiddenFields values={hidden} />
      {children(state)}
      <FormError state={state} fields={fields} />
      <FormActions submit={submit} pending={pending} onCancel={onClose} />
    </form>
  );
}

interface RotateProps {
  action: FormAction<NewKey>;
  appId: string;
  keyId: string;
  name: string;
}

/** Replaces a key by a new one. The old one may keep working for a while. */
export function RotateKey({ action, appId, keyId, name }: RotateProps) {
  return (
    <DialogButton
      label="Rotate"
      look={{ variant: "secondary", size: "sm" }}
      ariaLabel={`Rotate ${name}`}
      title={`Rotate “${name}”`}
      description="You get a new key with the same name and access."
    >
      {(close) => (
        <NewKeyForm action={action} hidden={{ appId, keyId }} submit="Rotate key" onClose={close}>
          {() => <SelectField label="The old key" name="grace" defaultValue="24h" choices={GRACE_CHOICES} />}
        </NewKeyForm>
      )}
    </DialogButton>
  );
}

interface RevokeProps {
  action: FormAction<void>;
  appId: string;
  apiKey: KeySummary;
  /** Whether it was used within the last day. */
  busy: boolean;
}

/** Revokes a key after a confirmation. For a key used within the last day, its name must be typed. */
export function RevokeKey({ action, appId, apiKey, busy }: RevokeProps) {
  const { id: keyId, name } = apiKey;
  return (
    <ConfirmButton
      action={action}
      hidden={{ appId, keyId }}
      label="Revoke"
      ariaLabel={`Revoke ${name}`}
      look={{ size: "sm" }}
      title={`Revoke “${name}”?`}
      description={
        <>
          {busy && (
            <p className="text-warn">
              This key was used within the last day. Apps and servers that use it stop working.
            </p>
          )}
          <p>All requests with this key are refused from now on. This cannot be undone.</p>
        </>
      }
      submit="Revoke key"
      danger
      typed={busy ? name : undefined}
      done={`“${name}” was revoked`}
      onDone={() => forgetRevokedKey(apiKey)}
    />
  );
}
