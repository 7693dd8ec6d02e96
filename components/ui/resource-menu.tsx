"use client";

import { Fragment, type ReactNode, useState } from "react";
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
