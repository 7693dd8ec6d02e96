"use client";

import { Field, SeenValues } from "@/components/ui/field";
import { confirmAction, deleteAction, ResourceMenu, toggleAction } from "@/components/ui/resource-menu";
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
        confirmAction("Rename", {
          hidden,
          action: actions.rename,
          title: "Rename connection",
          description: `Leave the name empty to use “${guide.label}”.`,
          submit: "Save",
          done: "Renamed",
          children: (
            <>
              <SeenValues values={{ name: label }} />
              <Field
                label="Name"
                name="name"
                optional
                maxLength={60}
                defaultValue={label}
                autoComplete="off"
              />
            </>
          ),
        }),
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
        guide.signingSecretLabel !== null &&
          confirmAction(guide.signingSecretLabel, {
            hidden,
            action: actions.signing,
            title: guide.signingSecretLabel,
            description: `With it, deliveries without a signature from ${guide.label} are refused. Leave it empty to require no signature.`,
            submit: "Save",
            done: "Saved",
            children: (
              <Field label="Secret" name="signingSecret" optional autoComplete="off" spellCheck={false} />
            ),
          }),
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
        guide.webPurchases &&
          confirmAction(webPurchases ? "Ignore web purchases" : "Count web purchases", {
            hidden: { ...hidden, counted: String(!webPurchases) },
            action: actions.web,
            title: webPurchases ? "Ignore web purchases?" : "Count web purchases?",
            description: webPurchases
              ? "Purchases through Stripe, Paddle or Web Billing no longer confirm a referral. Referrals that they confirmed stay confirmed."
              : "Purchases through Stripe, Paddle or Web Billing confirm a referral too, although no promo code can be redeemed there. Events that were ignored can be replayed.",
            submit: webPurchases ? "Ignore" : "Count",
            done: "Saved",
          }),
        toggleAction({
          hidden,
          action: actions.enable,
          enabled,
          name: label,
          disabling:
            "Deliveries are refused and not stored. Providers retry for a while, some for a few hours only.",
          enabling: "Deliveries are accepted again from now on.",
        }),
        deleteAction({
          hidden,
          action: actions.remove,
          name: label,
          noun: "connection",
          description:
            "Its address stops working for good, and it confirms no more referrals. Its past events stay in the log.",
          typed: label,
        }),
      ]}
    />
  );
}
