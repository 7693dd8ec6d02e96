"use client";

import { ConfirmDialog } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { ResourceMenu } from "@/components/ui/resource-menu";
import type { FormAction } from "@/lib/contract/form-state";
import type { ChannelView } from "@/lib/contract/problems";
import { EditChannelForm } from "./channel-form";

export interface ChannelActions {
  update: FormAction<void>;
  enable: FormAction<void>;
  remove: FormAction<void>;
  test: FormAction<void>;
}

interface Props {
  appId: string;
  channel: ChannelView;
  actions: ChannelActions;
}

/** The actions of an admin on a channel. */
export function ChannelMenu({ appId, channel, actions }: Props) {
  const { id, label, enabled } = channel;
  const hidden = { appId, channelId: id };
  return (
    <ResourceMenu
      label={`Actions for ${label}`}
      actions={[
        {
          label: "Send a test",
          dialog: (dialog) => (
            <ConfirmDialog
              {...dialog}
              hidden={hidden}
              action={actions.test}
              title="Send a test?"
              description={`${label} gets a message that alerts of this app arrive there.`}
              submit="Send a test"
              done="Sent"
            />
          ),
        },
        {
          label: "Edit",
          dialog: ({ open, onClose }) => (
            <Dialog open={open} onClose={onClose} title="Edit channel">
              <EditChannelForm hidden={hidden} channel={channel} action={actions.update} onClose={onClose} />
            </Dialog>
          ),
        },
        {
          label: enabled ? "Disable" : "Enable",
          dialog: (dialog) => (
            <ConfirmDialog
              {...dialog}
              hidden={{ ...hidden, enabled: String(!enabled) }}
              action={actions.enable}
              title={enabled ? "Disable the channel?" : "Enable the channel?"}
              description={
                enabled
                  ? "It gets no more alerts. Alerts in the meantime are not sent later."
                  : "It gets the alerts from now on."
              }
              submit={enabled ? "Disable" : "Enable"}
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
              title="Delete the channel?"
              description="It gets no more alerts, and its address is deleted."
              submit="Delete"
              danger
              done="Deleted"
            />
          ),
        },
      ]}
    />
  );
}
