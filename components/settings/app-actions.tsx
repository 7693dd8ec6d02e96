"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import type { FormAction } from "@/lib/contract/form-state";

interface SandboxProps {
  action: FormAction<never>;
  appId: string;
}

/** Creates the sandbox of a live app and opens it. */
export function CreateSandbox({ action, appId }: SandboxProps) {
  return (
    <ConfirmButton
      action={action}
      hidden={{ appId }}
      label="Create sandbox"
      look={{ variant: "primary", size: "sm" }}
      title="Create a sandbox for this app?"
      description="It copies rules and campaigns and fills its pools with sample codes. The live app does not change."
      submit="Create sandbox"
    />
  );
}

interface ResetProps {
  action: FormAction<{ rows: number }>;
  appId: string;
  name: string;
}

/** Resets a sandbox. */
export function ResetSandbox({ action, appId, name }: ResetProps) {
  return (
    <ConfirmButton
      action={action}
      hidden={{ appId }}
      label="Reset sandbox"
      look={{ size: "sm" }}
      title="Reset this sandbox?"
      description="This deletes all its referrers, referrals, rewards, events and codes. This cannot be undone."
      submit="Reset sandbox"
      danger
      typed={name}
      done="Sandbox reset"
    />
  );
}

interface DeleteProps {
  action: FormAction<never>;
  appId: string;
  name: string;
}

/** Deletes an app after its name is typed. */
export function DeleteApp({ action, appId, name }: DeleteProps) {
  return (
    <ConfirmButton
      action={action}
      hidden={{ appId }}
      label="Delete app"
      look={{ variant: "danger", size: "sm" }}
      title={`Delete “${name}”?`}
      description="Its API keys and links stop working at once, and events of its providers are ignored. An owner can restore it within 7 days."
      submit="Delete app"
      danger
      typed={name}
    />
  );
}
