"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm";
import { Dialog } from "@/components/ui/dialog";
import { Field, FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { HiddenFields } from "@/components/ui/hidden-fields";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { ChannelView } from "@/lib/contract/alerts";
import type { FormAction } from "@/lib/contract/form-state";
import { KindChoices } from "./kind-choices";

export interface ChannelActions {
  change: FormAction<void>;
  enable: FormAction<void>;
  remove: FormAction<void>;
  test: FormAction<void>;
}

interface Props {
  appId: string;
  channel: ChannelView;
  actions: ChannelActions;
}

/** What an admin may do with a channel. */
export function ChannelMenu(props: Props) {
  const [asked, setAsked] = useState<keyof ChannelActions>();
  const { label, enabled } = props.channel;
  return (
    <>
      <Menu label={`Change ${label}`}>
        <MenuItem onSelect={() => setAsked("test")}>Send a test</MenuItem>
        <MenuItem onSelect={() => setAsked("change")}>Edit</MenuItem>
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

type QuestionProps = Props & { asked: keyof ChannelActions | undefined; onClose: () => void };

function Questions({ appId, channel, actions, asked, onClose }: QuestionProps) {
  const { id, label, enabled } = channel;
  const hidden = { appId, channelId: id };
  return (
    <>
      <Dialog open={asked === "change"} onClose={onClose} title="Edit the channel">
        <ChangeForm {...{ hidden, channel, onClose }} action={actions.change} />
      </Dialog>
      <ConfirmDialog
        {...{ hidden, onClose }}
        open={asked === "test"}
        action={actions.test}
        title="Send a test?"
        description={`${label} is told that alerts of this app arrive there.`}
        submit="Send a test"
        done="Sent"
      />
      <ConfirmDialog
        {...{ onClose }}
        hidden={{ ...hidden, enabled: String(!enabled) }}
        open={asked === "enable"}
        action={actions.enable}
        title={enabled ? "Switch the channel off?" : "Switch the channel on?"}
        description={
          enabled
            ? "It is told of nothing more. What happens meanwhile is not told later."
            : "It is told of what goes wrong from now on."
        }
        submit={enabled ? "Switch off" : "Switch on"}
      />
      <ConfirmDialog
        {...{ hidden, onClose }}
        open={asked === "remove"}
        action={actions.remove}
        title="Delete the channel?"
        description="Its address is forgotten."
        submit="Delete"
        danger
        done="Deleted"
      />
    </>
  );
}

interface ChangeProps {
  hidden: Record<string, string>;
  channel: ChannelView;
  action: FormAction<void>;
  onClose: () => void;
}

function ChangeForm({ hidden, channel, action, onClose }: ChangeProps) {
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast("Saved");
  });
  const name = channel.label === channel.masked ? "" : channel.label;
  return (
    <form {...props} className="grid gap-5">
      <HiddenFields values={hidden} />
      <Field label="Name" name="name" optional maxLength={60} defaultValue={name} autoComplete="off" />
      <KindChoices chosen={channel.kinds} />
      <FormError state={state} />
      <FormActions submit="Save" pending={pending} onCancel={onClose} />
    </form>
  );
}
