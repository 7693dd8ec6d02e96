"use client";

import { useEffect, useState } from "react";
import { ConfirmDialog } from "@/components/ui/confirm";
import { SeenValues, SelectField } from "@/components/ui/field";
import { confirmAction, type MenuDialog, ResourceMenu } from "@/components/ui/resource-menu";
import type { FormAction } from "@/lib/contract/form-state";
import type { Role, TeamMember } from "@/lib/contract/workspace";
import { ROLE_GUIDE, roleChoices } from "./roles";

export interface MemberActions {
  changeRole: FormAction<void>;
  remove: FormAction<void>;
}

interface Props {
  member: Pick<TeamMember, "id" | "name" | "role">;
  workspaceId: string;
  roles: readonly Role[];
  actions: MemberActions;
  /** Whether the member is the reader, who leaves under the settings instead. */
  own: boolean;
}

/** The actions for a member of a workspace. */
export function MemberMenu({ member, workspaceId, roles, actions, own }: Props) {
  const hidden = { workspaceId, userId: member.id };
  return (
    <ResourceMenu
      label={`Actions for ${member.name}`}
      actions={[
        {
          label: "Change role",
          dialog: (dialog) => (
            <RoleDialog
              {...dialog}
              action={actions.changeRole}
              hidden={hidden}
              member={member}
              roles={roles}
              description={
                own
                  ? "The new role applies at once. With a lower role, you cannot change it back yourself."
                  : "The new role applies at once."
              }
            />
          ),
        },
        !own &&
          confirmAction("Remove", {
            hidden,
            action: actions.remove,
            title: `Remove ${member.name}?`,
            description:
              "They lose access to all apps of this workspace at once, and the invitations they sent stop working. You can invite them again.",
            submit: "Remove",
            danger: true,
            done: `${member.name} was removed`,
          }),
      ]}
    />
  );
}

interface RoleProps extends MenuDialog {
  action: FormAction<void>;
  hidden: Record<string, string>;
  member: Props["member"];
  roles: readonly Role[];
  description: string;
}

function RoleDialog({ member, roles, ...dialog }: RoleProps) {
  const [role, setRole] = useState(member.role);
  // A dialog that is opened again shows the stored role.
  useEffect(() => {
    if (dialog.open) setRole(member.role);
  }, [dialog.open, member.role]);
  return (
    <ConfirmDialog
      {...dialog}
      title={`Change the role of ${member.name}`}
      submit="Change role"
      done={`Role of ${member.name}: ${ROLE_GUIDE[role].name}`}
    >
      <SeenValues values={{ role: member.role }} />
      <SelectField
        label="Role"
        name="role"
        value={role}
        onChange={(event) => setRole(event.target.value as Role)}
        choices={roleChoices(roles)}
        hint={ROLE_GUIDE[role].may}
      />
    </ConfirmDialog>
  );
}
