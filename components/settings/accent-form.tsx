"use client";

import { Field } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import { SettingsForm } from "./settings-form";

interface Props {
  action: FormAction<void>;
  app: { id: string; accentColor: string | null };
  readOnly: boolean;
}

const FIELDS = ["accentColor"] as const;

/** The colour of the landing page's buttons and outlines. */
export function AccentForm({ action, app, readOnly }: Props) {
  return (
    <SettingsForm action={action} appId={app.id} fields={FIELDS} readOnly={readOnly}>
      {(state) => (
        <Field
          label="Accent colour"
          name="accentColor"
          placeholder="#1d4ed8"
          defaultValue={app.accentColor ?? ""}
          hint="Any colour will do: where it would be hard to read, in light or in dark, the page takes the nearest one that is not."
          optional
          state={state}
        />
      )}
    </SettingsForm>
  );
}
