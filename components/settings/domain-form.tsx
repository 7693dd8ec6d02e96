"use client";

import { Field } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import { SettingsForm } from "./settings-form";

interface Props {
  action: FormAction<void>;
  app: { id: string; landingDomain: string | null };
  readOnly: boolean;
}

const FIELDS = ["landingDomain"] as const;

/** The host that an app's links shall lead to. */
export function DomainForm({ action, app, readOnly }: Props) {
  return (
    <SettingsForm action={action} appId={app.id} fields={FIELDS} readOnly={readOnly}>
      {(state) => (
        <Field
          key={app.landingDomain}
          label="Domain"
          name="landingDomain"
          placeholder="invite.example.com"
          autoCapitalize="none"
          spellCheck={false}
          defaultValue={app.landingDomain ?? ""}
          hint="Best one below your own website, used for nothing else. Empty: links lead to the shared host."
          optional
          state={state}
        />
      )}
    </SettingsForm>
  );
}
