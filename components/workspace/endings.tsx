import type { ReactNode } from "react";
import { ConfirmButton } from "@/components/ui/confirm";
import { SelectField } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";
import type { TeamMember } from "@/lib/contract/workspace";

interface Props {
  action: FormAction<unknown>;
  workspace: { id: string; name: string };
}

/** One action with its consequences. */
function Ending({ title, hint, children }: { title: string; hint: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="grid max-w-prose gap-0.5">
        <h3 className="text-sm font-medium">{title}</h3>
        <p className="text-note text-muted">{hint}</p>
      </div>
      {children}
    </div>
  );
}

/** Leaves the workspace. */
export function LeaveWorkspace({ action, workspace, name }: Props & { name: string }) {
  return (
    <Ending title="Leave" hint="You lose access to its apps. To come back, you need an invitation.">
      <ConfirmButton
        action={action}
        hidden={{ workspaceId: workspace.id }}
        label="Leave"
        title={`Leave ${workspace.name}?`}
        description={`${name} loses access to all apps of this workspace at once, and the invitations sent under that name stop working.`}
        submit="Leave"
        danger
      />
    </Ending>
  );
}

/** Transfers the workspace to another member. */
export function TransferWorkspace({
  action,
  workspace,
  members,
}: Props & { members: Pick<TeamMember, "id" | "name" | "email">[] }) {
  const choices = members.map(({ id, name, email }) => ({ value: id, name: `${name} (${email})` }));
  return (
    <Ending
      title="Transfer ownership"
      hint={
        members.length > 0
          ? "Another member becomes the owner, and you become an admin."
          : "Invite the new owner first: only a member can become the owner."
      }
    >
      {members.length > 0 && (
        <ConfirmButton
          action={action}
          hidden={{ workspaceId: workspace.id }}
          label="Transfer"
          title="Transfer ownership"
          description="You become an admin. Only the new owner can transfer the workspace back to you."
          typed={workspace.name}
          submit="Transfer ownership"
          danger
          done="The workspace has a new owner"
        >
          <SelectField label="New owner" name="userId" choices={choices} />
        </ConfirmButton>
      )}
    </Ending>
  );
}

/** Deletes the workspace when it has no apps. */
export function DeleteWorkspace({ action, workspace }: Props) {
  return (
    <Ending title="Delete" hint="Delete its apps first: only a workspace without apps can be deleted.">
      <ConfirmButton
        action={action}
        hidden={{ workspaceId: workspace.id }}
        label="Delete"
        look={{ variant: "danger" }}
        title={`Delete ${workspace.name}?`}
        description="This deletes its members, invitations and usage. Recently deleted apps can no longer be restored. This cannot be undone."
        typed={workspace.name}
        submit="Delete workspace"
        danger
      />
    </Ending>
  );
}
