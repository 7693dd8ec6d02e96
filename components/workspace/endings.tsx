import type { ReactNode } from "react";
import { ConfirmButton } from "@/components/ui/confirm";
import { SelectField } from "@/components/ui/field";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<unknown>;
  workspace: { id: string; name: string };
}

/** One way to end something, with what it means. */
function Ending({ title, hint, children }: { title: string; hint: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="grid max-w-prose gap-0.5">
        <h3 className="text-sm font-medium">{title}</h3>
        <p className="text-[13px] text-muted">{hint}</p>
      </div>
      {children}
    </div>
  );
}

/** Takes oneself out. */
export function LeaveWorkspace({ action, workspace, name }: Props & { name: string }) {
  return (
    <Ending title="Leave" hint="You lose access to its apps. Somebody there has to invite you to come back.">
      <ConfirmButton
        action={action}
        hidden={{ workspaceId: workspace.id }}
        label="Leave"
        title={`Leave ${workspace.name}?`}
        description={`${name} loses access to every app of this workspace at once, and invitations sent under that name stop working.`}
        submit="Leave"
        danger
      />
    </Ending>
  );
}

/** Hands the workspace over. */
export function TransferWorkspace({ action, workspace, people }: Props & { people: Person[] }) {
  const choices = people.map(({ id, name, email }) => ({ value: id, name: `${name} (${email})` }));
  return (
    <Ending
      title="Transfer ownership"
      hint={
        people.length > 0
          ? "Somebody of the team becomes the owner, and you an admin."
          : "Invite the person first: the new owner has to be in the team."
      }
    >
      {people.length > 0 && (
        <ConfirmButton
          action={action}
          hidden={{ workspaceId: workspace.id }}
          label="Transfer"
          title="Transfer ownership"
          description="You become an admin. Only the new owner can give the workspace back to you."
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

interface Person {
  id: string;
  name: string;
  email: string;
}

/** Deletes the workspace, once it is empty. */
export function DeleteWorkspace({ action, workspace }: Props) {
  return (
    <Ending title="Delete" hint="Only a workspace without apps can be deleted. Delete its apps first.">
      <ConfirmButton
        action={action}
        hidden={{ workspaceId: workspace.id }}
        label="Delete"
        look={{ variant: "danger" }}
        title={`Delete ${workspace.name}?`}
        description="Its people, invitations and usage go with it. Apps that were deleted lately can no longer be brought back. This cannot be undone."
        typed={workspace.name}
        submit="Delete workspace"
        danger
      />
    </Ending>
  );
}
