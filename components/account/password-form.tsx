"use client";

import { useState } from "react";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { MailPlace } from "@/lib/contract/mail-place";
import { CheckMail } from "./check-mail";
import { NewPasswordField, PasswordField } from "./password-field";
import { Username } from "./username";

/** Changes the password of somebody who has one. */
export function PasswordForm({ action, email }: { action: FormAction<void>; email: string }) {
  const [changes, setChanges] = useState(0);
  const { state, pending, props } = useForm(action, () => {
    // Another key empties the fields.
    setChanges((times) => times + 1);
    toast("Password changed; every other browser is signed out");
  });
  return (
    <form key={changes} {...props} className="grid max-w-md gap-4">
      <Username email={email} />
      <PasswordField label="Present password" state={state} />
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

/** The first password of somebody who signs in elsewhere comes by mail: a borrowed session could else set one. */
export function FirstPassword({ action, place }: { action: FormAction<void>; place: MailPlace }) {
  const { state, pending, props } = useForm(action);
  if (state.ok) return <CheckMail place={place} what="We sent you a link to set your password." />;
  return (
    <form {...props} className="grid gap-3 text-sm">
      <p className="text-muted">You sign in elsewhere and have no password here.</p>
      <FormError state={state} />
      <div>
        <Button type="submit" variant="secondary" pending={pending}>
          Mail me a link to set one
        </Button>
      </div>
    </form>
  );
}
