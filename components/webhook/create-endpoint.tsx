"use client";

import { Plus } from "lucide-react";
import { DialogButton } from "@/components/ui/dialog-button";
import { useSecretReveal } from "@/components/ui/secret-reveal";
import type { FormAction } from "@/lib/contract/form-state";
import { EndpointForm } from "./endpoint-form";
import { SIGNING_STEPS } from "./steps";

interface Props {
  action: FormAction<{ id: string; secret: string }>;
  appId: string;
}

/** The button that opens the form for a new endpoint. */
export function CreateEndpoint({ action, appId }: Props) {
  const reveal = useSecretReveal();
  return (
    <DialogButton
      label="Add endpoint"
      icon={Plus}
      title="Add an endpoint"
      description="An address of yours that is told what happens in this app."
    >
      {(close) => (
        <EndpointForm
          action={action}
          hidden={{ appId }}
          submit="Add endpoint"
          onCancel={close}
          onDone={({ secret }) => {
            close();
            reveal({
              title: "The endpoint's signing secret",
              rows: [{ name: "Signing secret", text: secret, secret: true }],
              steps: SIGNING_STEPS,
            });
          }}
        />
      )}
    </DialogButton>
  );
}
