"use client";

import { Field, TextareaField } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import { SettingsForm } from "./settings-form";

interface Props {
  action: FormAction<void>;
  app: {
    id: string;
    name: string;
    appleAppId: string | null;
    androidPackage: string | null;
    appleTeamId: string | null;
    iosBundleId: string | null;
    androidFingerprints: string[];
  };
  readOnly: boolean;
  back: string | undefined;
}

const FIELDS = [
  "name",
  "appleAppId",
  "appleTeamId",
  "iosBundleId",
  "androidPackage",
  "androidFingerprints",
] as const;

/** The name, the store ids, and the ids that let phones open links in the app. */
export function IdentityForm({ action, app, readOnly, back }: Props) {
  return (
    <SettingsForm action={action} appId={app.id} fields={FIELDS} stored={app} readOnly={readOnly} back={back}>
      {(state) => (
        <>
          <Field label="Name" name="name" required maxLength={80} defaultValue={app.name} state={state} />
          <h3 className="pt-2 text-note font-medium text-muted">App Store</h3>
          <div className="grid gap-4 sm:grid-cols-3">
            <Field
              label="Apple app ID"
              name="appleAppId"
              inputMode="numeric"
              placeholder="1234567890"
              defaultValue={app.appleAppId ?? ""}
              hint="apps.apple.com/app/id…"
              optional
              state={state}
            />
            <Field
              label="Team ID"
              name="appleTeamId"
              placeholder="A1B2C3D4E5"
              defaultValue={app.appleTeamId ?? ""}
              hint="For universal links"
              optional
              state={state}
            />
            <Field
              label="Bundle ID"
              name="iosBundleId"
              placeholder="com.example.app"
              defaultValue={app.iosBundleId ?? ""}
              hint="For universal links"
              optional
              state={state}
            />
          </div>
          <h3 className="pt-2 text-note font-medium text-muted">Google Play</h3>
          <Field
            label="Package"
            name="androidPackage"
            placeholder="com.example.app"
            defaultValue={app.androidPackage ?? ""}
            optional
            state={state}
          />
          <TextareaField
            label="SHA-256 fingerprints"
            name="androidFingerprints"
            rows={2}
            spellCheck={false}
            defaultValue={app.androidFingerprints.join("\n")}
            hint="For app links. One per line, of the certificates that sign the app. In Play Console, see App integrity."
            optional
            state={state}
          />
        </>
      )}
    </SettingsForm>
  );
}
