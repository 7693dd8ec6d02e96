"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import type { FormAction } from "@/lib/contract/form-state";

interface Twin {
  action: FormAction<never>;
  appId: string;
}

/** Makes the sandbox of a live app and goes there. */
export function CreateTwin({ action, appId }: Twin) {
  return (
    <ConfirmButton
      action={action}
      hidden={{ appId }}
      label="Create a sandbox"
      look={{ variant: "primary", size: "sm" }}
      title="Create a sandbox of this app?"
      description="It copies rules and campaigns and fills its pools with made-up codes. The live app is not changed."
      submit="Create a sandbox"
    />
  );
}

interface Reset {
  action: FormAction<{ rows: number }>;
  appId: string;
  name: string;
}

/** Empties a sandbox. */
export function ResetSandbox({ action, appId, name }: Reset) {
  return (
    <ConfirmButton
      action={action}
      hidden={{ appId }}
      label="Reset"
      look={{ size: "sm" }}
      title="Reset this sandbox?"
      description="All referrers, referrals, rewards, events and codes in it are deleted. This cannot be undone."
      submit="Reset the sandbox"
      danger
      typed={name}
      done="The sandbox is as new"
    />
  );
}
