"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, FormError, SeenValues } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction, SentEmail } from "@/lib/contract/form-state";
import { CheckEmail } from "./auth-page";
import { NewPasswordField, PasswordField, UsernameHint } from "./fields";

interface ProfileProps {
  action: FormAction<void>;
  name: string;
  email: string;
}

/** The name of the account, and the address it signs in with. */
export function ProfileForm({ action, name, email }: ProfileProps) {
  const { state, pending, props } = useForm(action, () => toast("Name saved"));
  return (
    <form {...props} className="grid max-w-md gap-4">
      <SeenValues values={{ name }} />
      <Field label="Name" name="name" maxLength={100} defaultValue={name} required state={state} />
      <div className="grid gap-1.5 text-sm">
        <span className="font-medium">Email</span>
        <span className="wrap-anywhere text-muted">{email}</span>
      </div>
      <FormError state={state} fields={["name"]} />
      <div>
        <Button type="submit" pending={pending}>
          Save name
        </Button>
      </div>
    </form>
  );
}

/** Changes the password of an account that has one. */
export function PasswordForm({ action, email }: { action: FormAction<void>; email: string }) {
  const [changes, setChanges] = useState(0);
  const { state, pending, props } = useForm(action, () => {
    // A new key empties the fields.
    setChanges((times) => times + 1);
    toast("Password changed. All other browsers were signed out.");
  });
  return (
    <form key={changes} {...props} className="grid max-w-md gap-4">
      <UsernameHint email={email} />
      <PasswordField label="Current password" state={state} />
      <NewPasswordField name="newPassword" state={state} />
      <FormError state={state} fields={["password", "newPassword"]} />
      <div>
        <Button type="submit" pending={pending}>
          Change password
        </Button>
      </div>
    </form>
  );
}

/** Emails the link to a first password of an OAuth account, so that a hijacked session cannot set one. */
export function FirstPasswordForm({ action }: { action: FormAction<SentEmail> }) {
  const { state, pending, props } = useForm(action);
  if (state.ok) {
    const what = "To set your password, open the link in the email to";
    return <CheckEmail sent={state.ok.result} what={what} again="/dashboard/account" heading="h2" />;
  }
  return (
    <form {...props} className="grid gap-3 text-sm">
      <p className="text-muted">
        You sign in with a connected account and have no password yet. The link to set one disconnects it, and
        you can connect it again afterwards.
      </p>
      <FormError state={state} />
      <div>
        <Button type="submit" variant="secondary" pending={pending}>
          Email me a link to set one
        </Button>
      </div>
    </form>
  );
}
