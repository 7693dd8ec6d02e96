"use client";

import { Fragment, type ReactNode, useState } from "react";
import { ConfirmDialog, type ConfirmQuestion } from "./confirm";
import { Menu, MenuItem, MenuLine } from "./menu";

/** The state of a dialog of the menu. */
export interface MenuDialog {
  open: boolean;
  onClose: () => void;
}

interface MenuAction {
  label: string;
  disabled?: boolean;
  /** Whether the action destroys something; it is set apart, in red. */
  danger?: boolean;
  dialog: (dialog: MenuDialog) => ReactNode;
}

interface Props {
  /** Names the menu to screen readers: "Actions for Anna". */
  label: string;
  /** An action that does not apply may be left out as `false`. */
  actions: readonly (MenuAction | false | undefined)[];
}

/** The actions of one resource, each with a dialog that confirms or edits first. */
export function ResourceMenu({ label, actions }: Props) {
  const [opened, setOpened] = useState<string>();
  const shown = actions.filter((action): action is MenuAction => Boolean(action));
  const onClose = () => setOpened(undefined);
  return (
    <>
      <Menu label={label}>
        {shown.map((action, index) => (
          <Fragment key={action.label}>
            {action.danger && index > 0 && <MenuLine />}
            <MenuItem
              onSelect={() => setOpened(action.label)}
              disabled={action.disabled}
              tone={action.danger ? "danger" : "plain"}
            >
              {action.label}
            </MenuItem>
          </Fragment>
        ))}
      </Menu>
      {shown.map((action) => (
        <Fragment key={action.label}>{action.dialog({ open: opened === action.label, onClose })}</Fragment>
      ))}
    </>
  );
}

/** An action that asks before it runs; a destructive one is set apart. */
export function confirmAction<Result>(label: string, question: ConfirmQuestion<Result>): MenuAction {
  return {
    label,
    danger: question.danger ?? false,
    dialog: (dialog) => <ConfirmDialog {...dialog} {...question} />,
  };
}

type Change = Pick<ConfirmQuestion<void>, "action" | "hidden"> & {
  /** The resource as the title names it: "the channel". */
  name: string;
};

interface Toggle extends Change {
  enabled: boolean;
  /** The consequences of disabling. */
  disabling: string;
  /** The consequences of enabling. */
  enabling: string;
}

/** Disables an enabled resource, or enables it again: the form sends the new state as `enabled`. */
export function toggleAction({ name, enabled, disabling, enabling, action, hidden }: Toggle): MenuAction {
  const label = enabled ? "Disable" : "Enable";
  const question = {
    action,
    hidden: { ...hidden, enabled: String(!enabled) },
    title: `${label} ${name}?`,
    description: enabled ? disabling : enabling,
    submit: label,
  };
  // Red only in the dialog, because in the menu it is one of several actions.
  return { label, dialog: (dialog) => <ConfirmDialog {...dialog} {...question} danger={enabled} /> };
}

interface Deletion extends Change, Pick<ConfirmQuestion<void>, "description" | "typed" | "done" | "onDone"> {
  /** The kind of resource, for the button: "channel". */
  noun: string;
}

/** Deletes a resource permanently, after a confirmation. */
export function deleteAction({ name, noun, ...question }: Deletion): MenuAction {
  return confirmAction("Delete", {
    done: "Deleted",
    ...question,
    title: `Delete ${name}?`,
    submit: `Delete ${noun}`,
    danger: true,
  });
}
