"use client";

import { Dialog } from "@/components/ui/dialog";
import { Field, FormError, HiddenFields, SeenValues } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { confirmAction, deleteAction, ResourceMenu, toggleAction } from "@/components/ui/resource-menu";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { ChannelView } from "@/lib/contract/problems";
import { KindChoices } from "./channel-form";

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
  const { id, type, label, enabled } = channel;
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
          done: type === "mail" ? "Queued: look for it in the mailbox" : "Sent",
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

interface EditProps {
  hidden: Record<string, string>;
  channel: ChannelView;
  action: FormAction<void>;
  onClose: () => void;
}

/** The name and kinds of a channel. Its address is fixed: another address is another channel. */
export function EditChannelForm({ hidden, channel, action, onClose }: EditProps) {
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast("Saved");
  });
  const { name, kinds } = channel;
  return (
    <form {...props} className="grid gap-5">
      <HiddenFields values={hidden} />
      <SeenValues values={{ name, kinds }} />
      <Field label="Name" name="name" optional maxLength={60} defaultValue={name} autoComplete="off" />
      <KindChoices chosen={kinds} state={state} />
      <FormError state={state} fields={["kinds"]} />
      <FormActions submit="Save" pending={pending} onCancel={onClose} />
    </form>
  );
}
