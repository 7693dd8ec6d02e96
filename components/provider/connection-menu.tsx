"use client";

import { ConfirmDialog } from "@/components/ui/confirm";
import { Field } from "@/components/ui/field";
import { ResourceMenu } from "@/components/ui/resource-menu";
import type { FormAction } from "@/lib/contract/form-state";
import type { ConnectionView, NewSecret, ProviderGuide } from "@/lib/contract/provider";
import { OwnNamesDialog, SecretDialog } from "./connection-dialogs";

interface Props {
  appId: string;
  connection: ConnectionView;
  guide: ProviderGuide;
  actions: {
    rename: FormAction<void>;
    secret: FormAction<NewSecret>;
    signing: FormAction<void>;
    names: FormAction<void>;
    web: FormAction<void>;
    enable: FormAction<void>;
    remove: FormAction<void>;
  };
}

/** The actions of an admin on a connection. */
export function ConnectionMenu({ appId, connection, guide, actions }: Props) {
  const { id, label, enabled, waiting, webPurchases } = connection;
  const hidden = { appId, connectionId: id };
  return (
    <ResourceMenu
      label={`Actions for ${label}`}
      actions={[
        {
          label: "Rename",
          dialog: (dialog) => (
            <ConfirmDialog
              {...dialog}
              hidden={hidden}
              action={actions.rename}
              title="Rename connection"
              description={`Leave the name empty to use “${guide.label}”.`}
              submit="Save"
              done="Renamed"
            >
              <Field
                label="Name"
                name="name"
                optional
                maxLength={60}
                defaultValue={label}
                autoComplete="off"
              />
            </ConfirmDialog>
          ),
        },
        guide.secretFrom !== "none" && {
          label: waiting ? "Enter secret" : "Replace secret",
          dialog: (dialog) => (
            <SecretDialog
              {...dialog}
              appId={appId}
              connection={connection}
              guide={guide}
              action={actions.secret}
            />
          ),
        },
        guide.signingSecretLabel !== null && {
          label: guide.signingSecretLabel,
          dialog: (dialog) => (
            <ConfirmDialog
              {...dialog}
              hidden={hidden}
              action={actions.signing}
              title={guide.signingSecretLabel ?? ""}
              description={`With it, deliveries without a signature from ${guide.label} are refused. Leave it empty to require no signature.`}
              submit="Save"
              done="Saved"
            >
              <Field label="Secret" name="signingSecret" optional autoComplete="off" spellCheck={false} />
            </ConfirmDialog>
          ),
        },
        guide.ownNames && {
          label: "Custom names",
          dialog: (dialog) => (
            <OwnNamesDialog
              {...dialog}
              appId={appId}
              connection={connection}
              guide={guide}
              action={actions.names}
            />
          ),
        },
        guide.webPurchases && {
          label: webPurchases ? "Ignore web purchases" : "Count web purchases",
          dialog: (dialog) => (
            <ConfirmDialog
              {...dialog}
              hidden={{ ...hidden, counted: String(!webPurchases) }}
              action={actions.web}
              title={webPurchases ? "Ignore web purchases?" : "Count web purchases?"}
              description={
                webPurchases
                  ? "Purchases through Stripe, Paddle or Web Billing no longer confirm a referral. Referrals that they confirmed stay confirmed."
                  : "Purchases through Stripe, Paddle or Web Billing confirm a referral too, although no promo code can be redeemed there. Events that were ignored can be replayed."
              }
              submit={webPurchases ? "Ignore" : "Count"}
              done="Saved"
            />
          ),
        },
        {
          label: enabled ? "Disable" : "Enable",
          dialog: (dialog) => (
            <ConfirmDialog
              {...dialog}
              hidden={{ ...hidden, enabled: String(!enabled) }}
              action={actions.enable}
              title={enabled ? `Disable ${label}?` : `Enable ${label}?`}
              description={
                enabled
                  ? "Deliveries are answered 404 and not stored. Providers retry for a while, some for a few hours only."
                  : "Deliveries are accepted again from now on."
              }
              submit={enabled ? "Disable" : "Enable"}
              danger={enabled}
            />
          ),
        },
        {
          label: "Delete",
          danger: true,
          dialog: (dialog) => (
            <ConfirmDialog
              {...dialog}
              hidden={hidden}
              action={actions.remove}
              title={`Delete ${label}?`}
              description="Its address stops working for good, and it confirms no more referrals. Its past events stay in the log."
              submit="Delete connection"
              danger
              typed={label}
              done="Deleted"
            />
          ),
        },
      ]}
    />
  );
}
