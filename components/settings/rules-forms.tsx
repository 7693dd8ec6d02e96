"use client";

import { CheckField, Field, SelectField } from "@/components/ui/field";
import { APP_RANGES } from "@/lib/contract/app";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount } from "@/lib/contract/format";
import { SettingsForm } from "./settings-form";

interface RulesProps {
  action: FormAction<void>;
  app: { id: string; retryWindowHours: number; referrerDailyCap: number | null; reviewsBeyondCaps: boolean };
  readOnly: boolean;
}

const RULE_FIELDS = ["retryWindowHours", "referrerDailyCap", "reviewsBeyondCaps"] as const;

const WINDOWS = [
  { hours: 0, name: "Off" },
  { hours: 24, name: "24 hours" },
  { hours: 168, name: "7 days" },
  { hours: APP_RANGES.retryWindowHours.max, name: "Until confirmed" },
];

/** The retry windows to choose from, and the stored one if it is another. */
function windowChoices(stored: number) {
  const own = { hours: stored, name: formatCount(stored, "hour") };
  const all = WINDOWS.some(({ hours }) => hours === stored) ? WINDOWS : [...WINDOWS, own];
  return all.toSorted((a, b) => a.hours - b.hours).map(({ hours, name }) => ({ value: String(hours), name }));
}

/** Sets for how long a repeated redeem shows the same code, and the limit against fraud. */
export function RulesForm({ action, app, readOnly }: RulesProps) {
  return (
    <SettingsForm action={action} appId={app.id} fields={RULE_FIELDS} stored={app} readOnly={readOnly}>
      {(state) => (
        <>
          <SelectField
            label="Retry window"
            name="retryWindowHours"
            choices={windowChoices(app.retryWindowHours)}
            defaultValue={String(app.retryWindowHours)}
            hint="For this long, a repeated redeem shows the same code again, in case the response was lost, but never after the referral was confirmed."
            state={state}
          />
          <Field
            label="Maximum codes per referrer in 24 hours"
            name="referrerDailyCap"
            type="number"
            {...APP_RANGES.referrerDailyCap}
            defaultValue={app.referrerDailyCap ?? ""}
            placeholder="No limit"
            hint="Above this number, the metacode cannot be redeemed until one of these codes is 24 hours old. Influencers have no limit."
            optional
            state={state}
          />
          <CheckField
            label="Hold redemptions beyond a limit for review"
            name="reviewsBeyondCaps"
            defaultChecked={app.reviewsBeyondCaps}
            hint="Beyond this limit, or that of an address, friends wait until you approve or dismiss them, instead of being refused. You find them under Referrals, For review."
          />
        </>
      )}
    </SettingsForm>
  );
}

interface RetentionProps {
  action: FormAction<void>;
  app: { id: string; requestLogDays: number; payloadDays: number };
  readOnly: boolean;
}

const RETENTION_FIELDS = ["requestLogDays", "payloadDays"] as const;

/** Sets for how many days the request log and the payloads of providers are stored. */
export function RetentionForm({ action, app, readOnly }: RetentionProps) {
  return (
    <SettingsForm action={action} appId={app.id} fields={RETENTION_FIELDS} stored={app} readOnly={readOnly}>
      {(state) => (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label="Request log (days)"
            name="requestLogDays"
            type="number"
            {...APP_RANGES.requestLogDays}
            required
            defaultValue={app.requestLogDays}
            hint={`${APP_RANGES.requestLogDays.min} to ${APP_RANGES.requestLogDays.max}`}
            state={state}
          />
          <Field
            label="Provider events (days)"
            name="payloadDays"
            type="number"
            {...APP_RANGES.payloadDays}
            required
            defaultValue={app.payloadDays}
            hint="The confirmations themselves are kept."
            state={state}
          />
        </div>
      )}
    </SettingsForm>
  );
}
