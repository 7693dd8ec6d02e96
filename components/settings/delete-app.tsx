"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<never>;
  appId: string;
  name: string;
}

/** Deletes an app after its name was typed. */
export function DeleteApp({ action, appId, name }: Props) {
  return (
    <ConfirmButton
      action={action}
      hidden={{ appId }}
      label="Delete app"
      look={{ variant: "danger", size: "sm" }}
      title={`Delete “${name}”?`}
      description="From now on the API answers its keys with 401, its links lead nowhere and its providers are not heard. An owner can bring it back for 7 days."
      submit="Delete app"
      danger
      typed={name}
    />
  );
}
