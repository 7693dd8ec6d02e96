"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { SelectField } from "@/components/ui/field";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import { useSecretReveal } from "@/components/ui/secret-reveal";
import { toast } from "@/components/ui/toast";
import type { FormAction } from "@/lib/contract/form-state";
import type { EndpointView } from "@/lib/contract/webhook-events";
import { EndpointForm } from "./endpoint-form";
import { SIGNING_STEPS } from "./steps";

interface EndpointActions {
  change: FormAction<void>;
  secret: FormAction<{ id: string; secret: string }>;
  enable: FormAction<void>;
  remove: FormAction<void>;
}

interface Props {
  appId: string;
  endpoint: EndpointView;
  actions: EndpointActions;
}

type Asked = keyof EndpointActions;

const SIGNED_WITH = [
  { value: "now", name: "The new one only" },
  { value: "1h", name: "Both for 1 hour" },
  { value: "24h", name: "Both for 24 hours" },
  { value: "7d", name: "Both for 7 days" },
];

/** What an admin may change of an endpoint. */
export function EndpointMenu(props: Props) {
  const [asked, setAsked] = useState<Asked>();
  const { enabled, url } = props.endpoint;
  return (
    <>
      <Menu label={`Change ${url}`}>
        <MenuItem onSelect={() => setAsked("change")}>Edit</MenuItem>
        <MenuItem onSelect={() => setAsked("secret")}>Change the secret</MenuItem>
        <MenuItem onSelect={() => setAsked("enable")}>{enabled ? "Switch off" : "Switch on"}</MenuItem>
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
  const { appId, endpoint, actions, asked, onClose } = props;
  const { id, enabled, url } = endpoint;
  const reveal = useSecretReveal();
  const hidden = { appId, endpointId: id };
  const onChanged = () => {
    onClose();
    toast("Saved");
  };
  return (
    <>
      <Dialog open={asked === "change"} onClose={onClose} title="Edit the endpoint">
        <EndpointForm
          action={actions.change}
          hidden={hidden}
          endpoint={endpoint}
          submit="Save"
          onDone={onChanged}
          onCancel={onClose}
        />
      </Dialog>
      <ConfirmDialog
        {...{ hidden, onClose }}
        open={asked === "secret"}
        action={actions.secret}
        title="Change the signing secret"
        description="You get a new one. While both sign, a delivery carries two signatures, and either is enough."
        submit="Make a new secret"
        onDone={({ secret }) =>
          reveal({
            title: "The new signing secret",
            rows: [{ name: "Signing secret", text: secret, secret: true }],
            steps: SIGNING_STEPS,
          })
        }
      >
        <SelectField
          label="Deliveries are signed with"
          name="grace"
          defaultValue="24h"
          choices={SIGNED_WITH}
        />
      </ConfirmDialog>
      <ConfirmDialog
        {...{ hidden: { ...hidden, enabled: String(!enabled) }, onClose }}
        open={asked === "enable"}
        action={actions.enable}
        title={enabled ? "Switch the endpoint off?" : "Switch the endpoint on?"}
        description={
          enabled
            ? "It is told of nothing more. What happens meanwhile is not sent later; what waits goes on when you switch it on."
            : "It is told of what happens from now on, and gets what waited when it was switched off."
        }
        submit={enabled ? "Switch off" : "Switch on"}
        danger={enabled}
      />
      <ConfirmDialog
        {...{ hidden, onClose }}
        open={asked === "remove"}
        action={actions.remove}
        title="Delete the endpoint?"
        description="It is told of nothing more, and its secret is gone for good."
        submit="Delete the endpoint"
        danger
        typed={new URL(url).host}
        done="Deleted"
      />
    </>
  );
}
