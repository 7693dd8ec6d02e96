"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm";
import { Field, SelectField } from "@/components/ui/field";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import { useSecretReveal } from "@/components/ui/secret-reveal";
import { toast } from "@/components/ui/toast";
import type { FormAction } from "@/lib/contract/form-state";
import { GRACE_CHOICES } from "@/lib/contract/grace";
import type { ConnectionView, NewSecret, ProviderGuide } from "@/lib/contract/provider";
import { OwnNamesQuestion } from "./own-names";

interface ConnectionActions {
  rename: FormAction<void>;
  secret: FormAction<NewSecret>;
  signing: FormAction<void>;
  names: FormAction<void>;
  enable: FormAction<void>;
  remove: FormAction<void>;
}

interface Props {
  appId: string;
  connection: ConnectionView;
  guide: ProviderGuide;
  actions: ConnectionActions;
}

type Asked = keyof ConnectionActions;

/** What an admin may change of a connection. */
export function ConnectionMenu(props: Props) {
  const { connection, guide } = props;
  const [asked, setAsked] = useState<Asked>();
  return (
    <>
      <Menu label={`Change ${connection.label}`}>
        <MenuItem onSelect={() => setAsked("rename")}>Rename</MenuItem>
        {guide.secretFrom !== "nobody" && (
          <MenuItem onSelect={() => setAsked("secret")}>
            {connection.waiting ? "Enter the secret" : "Change the secret"}
          </MenuItem>
        )}
        {guide.signingSecretLabel && (
          <MenuItem onSelect={() => setAsked("signing")}>{guide.signingSecretLabel}</MenuItem>
        )}
        {guide.ownNames && <MenuItem onSelect={() => setAsked("names")}>Names of your own</MenuItem>}
        <MenuItem onSelect={() => setAsked("enable")}>
          {connection.enabled ? "Switch off" : "Switch on"}
        </MenuItem>
        <MenuLine />
        <MenuItem tone="danger" onSelect={() => setAsked("remove")}>
          Delete
        </MenuItem>
      </Menu>
      <Questions {...props} asked={asked} onClose={() => setAsked(undefined)} />
    </>
  );
}

function Questions(props: Props & { asked: Asked | undefined; onClose: () => void }) {
  const { appId, connection, guide, actions, asked, onClose } = props;
  const { id, label, enabled } = connection;
  const shared = { hidden: { appId, connectionId: id }, onClose };
  return (
    <>
      <ConfirmDialog
        {...shared}
        open={asked === "rename"}
        action={actions.rename}
        title="Rename the connection"
        description={`Without a name it is called ${guide.label}.`}
        submit="Save"
        done="Renamed"
      >
        <Field label="Name" name="name" optional maxLength={60} defaultValue={label} autoComplete="off" />
      </ConfirmDialog>
      <SecretQuestion {...props} open={asked === "secret"} />
      <ConfirmDialog
        {...shared}
        open={asked === "signing"}
        action={actions.signing}
        title={guide.signingSecretLabel ?? ""}
        description={`With it, only deliveries that ${guide.label} has signed are taken. Leave it empty to demand no signature.`}
        submit="Save"
        done="Saved"
      >
        <Field label="Secret" name="signingSecret" optional autoComplete="off" spellCheck={false} />
      </ConfirmDialog>
      <OwnNamesQuestion {...props} open={asked === "names"} />
      <ConfirmDialog
        {...shared}
        hidden={{ ...shared.hidden, enabled: String(!enabled) }}
        open={asked === "enable"}
        action={actions.enable}
        title={enabled ? `Switch ${label} off?` : `Switch ${label} on?`}
        description={
          enabled
            ? "Deliveries are answered 404 and not kept. Providers try again for a while, some for hours only."
            : "Deliveries are taken again from now on."
        }
        submit={enabled ? "Switch off" : "Switch on"}
        danger={enabled}
      />
      <ConfirmDialog
        {...shared}
        open={asked === "remove"}
        action={actions.remove}
        title={`Delete ${label}?`}
        description="Its address stops working for good, and nothing confirms through it any more. The events that it sent stay in the log."
        submit="Delete the connection"
        danger
        typed={label}
        done="Deleted"
      />
    </>
  );
}

function SecretQuestion({ appId, connection, guide, actions, open, onClose }: Props & DialogState) {
  const reveal = useSecretReveal();
  const isOurs = guide.secretFrom === "us";
  const { waiting } = connection;
  const onDone = ({ url, secret }: NewSecret) => {
    if (secret === null) return toast("Saved");
    reveal({
      title: `The new secret of ${connection.label}`,
      rows: [
        { name: guide.secretLabel, text: secret, secret: true },
        { name: "Address, unchanged", text: url },
      ],
      steps: [],
    });
  };
  return (
    <ConfirmDialog
      hidden={{ appId, connectionId: connection.id, ...(waiting && { grace: "now" }) }}
      open={open}
      onClose={onClose}
      action={actions.secret}
      title={waiting ? "Enter the secret" : "Change the secret"}
      description={
        isOurs
          ? `You get a new one and type it in at ${guide.label}. Meanwhile both are taken.`
          : `Copy it from ${guide.label}. ${waiting ? "Until it is here, nothing is taken." : "Meanwhile both are taken."}`
      }
      submit={isOurs ? "Make a new secret" : "Save"}
      onDone={onDone}
    >
      {!isOurs && (
        <Field label={guide.secretLabel} name="secret" required autoComplete="off" spellCheck={false} />
      )}
      {!waiting && (
        <SelectField label="The old secret" name="grace" defaultValue="24h" choices={GRACE_CHOICES} />
      )}
    </ConfirmDialog>
  );
}

interface DialogState {
  open: boolean;
  onClose: () => void;
}
