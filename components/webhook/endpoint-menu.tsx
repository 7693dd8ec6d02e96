"use client";

import { Dialog } from "@/components/ui/dialog";
import { SelectField } from "@/components/ui/field";
import { confirmAction, deleteAction, ResourceMenu, toggleAction } from "@/components/ui/resource-menu";
import { useSecretReveal } from "@/components/ui/secret-reveal";
import { toast } from "@/components/ui/toast";
import type { FormAction } from "@/lib/contract/form-state";
import { endOfFormer } from "@/lib/contract/grace";
import type { EndpointView } from "@/lib/contract/webhook-events";
import { EndpointForm } from "./endpoint-form";
import { SIGNING_STEPS } from "./signing-steps";

interface Props {
  appId: string;
  endpoint: EndpointView;
  actions: {
    update: FormAction<void>;
    secret: FormAction<{ id: string; secret: string }>;
    enable: FormAction<void>;
    remove: FormAction<void>;
  };
}

const SIGNED_WITH = [
  { value: "now", name: "The new secret only" },
  { value: "1h", name: "Both for 1 hour" },
  { value: "24h", name: "Both for 24 hours" },
  { value: "7d", name: "Both for 7 days" },
];

/** The actions of an admin on an endpoint. */
export function EndpointMenu({ appId, endpoint, actions }: Props) {
  const { id, enabled, url, formerUntil } = endpoint;
  const reveal = useSecretReveal();
  const hidden = { appId, endpointId: id };
  return (
    <ResourceMenu
      label={`Actions for ${url}`}
      actions={[
        {
          label: "Edit",
          dialog: ({ open, onClose }) => (
            <Dialog open={open} onClose={onClose} title="Edit endpoint" wide>
              <EndpointForm
                action={actions.update}
                hidden={hidden}
                endpoint={endpoint}
                submit="Save"
                onDone={() => {
                  onClose();
                  toast("Saved");
                }}
                onCancel={onClose}
              />
            </Dialog>
          ),
        },
        confirmAction("Replace secret", {
          hidden,
          action: actions.secret,
          title: "Replace the signing secret",
          description: `You get a new secret. While both sign, a delivery carries two signatures, and either is enough.${endOfFormer(formerUntil)}`,
          submit: "Create new secret",
          onDone: ({ secret }) =>
            reveal({
              title: "New signing secret",
              rows: [{ name: "Signing secret", text: secret, secret: true }],
              steps: SIGNING_STEPS,
            }),
          children: (
            <SelectField label="Sign deliveries with" name="grace" defaultValue="24h" choices={SIGNED_WITH} />
          ),
        }),
        toggleAction({
          hidden,
          action: actions.enable,
          enabled,
          name: "the endpoint",
          disabling:
            "It receives no more events. Events in the meantime are not sent later; pending deliveries continue when you enable it.",
          enabling:
            "It receives events from now on, and the deliveries that were pending when it was disabled.",
        }),
        deleteAction({
          hidden,
          action: actions.remove,
          name: "the endpoint",
          noun: "endpoint",
          description: "It receives no more events, and its secret is deleted. This cannot be undone.",
          typed: new URL(url).host,
        }),
      ]}
    />
  );
}
