"use client";

import { Field } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import { SettingsForm } from "./settings-form";

interface Props {
  action: FormAction<void>;
  app: { id: string; retryWindowHours: number; referrerDailyCap: number | null };
  readOnly: boolean;
}

const FIELDS = ["retryWindowHours", "referrerDailyCap"] as const;

/** How long a lost answer is shown again, and what looks like fraud. */
export function RulesForm({ action, app, readOnly }: Props) {
  return (
    <SettingsForm action={action} appId={app.id} fields={FIELDS} readOnly={readOnly}>
      {(state) => (
        <>
          <Field
            label="Retry window in hours"
            name="retryWindowHours"
            type="number"
            min={0}
            max={168}
            required
            defaultValue={app.retryWindowHours}
            hint="A redeem whose answer got lost shows its code again for this long. 0 switches it off."
            state={state}
          />
          <Field
            label="Codes a referrer may bring in 24 hours"
            name="referrerDailyCap"
            type="number"
            min={1}
            max={1_000_000}
            defaultValue={app.referrerDailyCap ?? ""}
            placeholder="No limit"
            hint="Beyond it, redeem answers 409 CONFLICT for that metacode until the next day."
            optional
            state={state}
          />
        </>
      )}
    </SettingsForm>
  );
}
