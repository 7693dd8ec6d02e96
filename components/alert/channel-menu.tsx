"use client";

import { Dialog } from "@/components/ui/dialog";
import { confirmAction, deleteAction, ResourceMenu, toggleAction } from "@/components/ui/resource-menu";
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
        confirmAction("Send a test", {
          hidden,
          action: actions.test,
          title: "Send a test?",
          description: `${label} gets a test message, which shows whether alerts of this app arrive.`,
          submit: "Send a test",
          done: "Sent",
        }),
        {
          label: "Edit",
          dialog: ({ open, onClose }) => (
            <Dialog open={open} onClose={onClose} title="Edit channel" wide>
              <EditChannelForm hidden={hidden} channel={channel} action={actions.update} onClose={onClose} />
            </Dialog>
          ),
        },
        toggleAction({
          hidden,
          action: actions.enable,
          enabled,
          name: "the channel",
          disabling: "It gets no more alerts. Alerts in the meantime are not sent later.",
          enabling: "It gets alerts from now on.",
        }),
        deleteAction({
          hidden,
          action: actions.remove,
          name: "the channel",
          noun: "channel",
          description: "It gets no more alerts, and its address is deleted.",
        }),
      ]}
    />
  );
}
