"use client";

import { Field } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import { SettingsForm } from "./settings-form";

interface Props {
  action: FormAction<void>;
  app: { id: string; requestLogDays: number; payloadDays: number };
  readOnly: boolean;
}

const FIELDS = ["requestLogDays", "payloadDays"] as const;

/** How long the request log and what providers sent are kept. */
export function RetentionForm({ action, app, readOnly }: Props) {
  return (
    <SettingsForm action={action} appId={app.id} fields={FIELDS} readOnly={readOnly}>
      {(state) => (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Request log, days"
            name="requestLogDays"
            type="number"
            min={1}
            max={90}
            required
            defaultValue={app.requestLogDays}
            hint="1 to 90"
            state={state}
          />
          <Field
            label="Provider events, days"
            name="payloadDays"
            type="number"
            min={1}
            max={3_650}
            required
            defaultValue={app.payloadDays}
            hint="Confirmations themselves stay."
            state={state}
          />
        </div>
      )}
    </SettingsForm>
  );
}
