"use client";

import { useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm";
import { SelectField } from "@/components/ui/field";
import { Menu, MenuItem, MenuLine } from "@/components/ui/menu";
import type { FormAction } from "@/lib/contract/form-state";
import type { Role } from "@/lib/contract/roles";
import { ROLE_WORDS, roleChoices } from "./roles";

export interface MemberActions {
  changeRole: FormAction<void>;
  remove: FormAction<void>;
}

interface Props {
  member: { id: string; name: string; role: Role };
  workspaceId: string;
  roles: readonly Role[];
  actions: MemberActions;
}

/** What can be done to somebody's membership. */
export function MemberMenu({ member, workspaceId, roles, actions }: Props) {
  const [asked, setAsked] = useState<"role" | "remove">();
  const close = () => setAsked(undefined);
  const hidden = { workspaceId, userId: member.id };
  return (
    <>
      <Menu label={`Actions for ${member.name}`}>
        <MenuItem onSelect={() => setAsked("role")}>Change role</MenuItem>
        <MenuLine />
        <MenuItem tone="danger" onSelect={() => setAsked("remove")}>
          Remove
        </MenuItem>
      </Menu>
      <RoleDialog
        open={asked === "role"}
        onClose={close}
        action={actions.changeRole}
        {...{ hidden, member, roles }}
      />
      <ConfirmDialog
        open={asked === "remove"}
        onClose={close}
        action={actions.remove}
        hidden={hidden}
        title={`Remove ${member.name}?`}
        description="They lose access to every app of this workspace at once, and invitations they sent stop working. You can invite them again."
        submit="Remove"
        danger
        done={`${member.name} was removed`}
      />
    </>
  );
}

interface RoleProps {
  open: boolean;
  onClose: () => void;
  action: FormAction<void>;
  hidden: Record<string, string>;
  member: Props["member"];
  roles: readonly Role[];
}

function RoleDialog({ member, roles, ...dialog }: RoleProps) {
  const [role, setRole] = useState(member.role);
  return (
    <ConfirmDialog
      {...dialog}
      title={`Role of ${member.name}`}
      description="The new role counts from the next click on."
      submit="Change role"
      done={`${member.name} is ${ROLE_WORDS[role].name.toLowerCase()} now`}
    >
      <SelectField
        label="Role"
        name="role"
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
        choices={roleChoices(roles)}
        hint={ROLE_WORDS[role].may}
      />
    </ConfirmDialog>
  );
}
