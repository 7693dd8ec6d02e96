import type { Metadata } from "next";
import { CopyButton } from "@/components/ui/copy-button";
import { PageHeader } from "@/components/ui/page-header";
import { Section } from "@/components/ui/section";
import { DeleteWorkspace, LeaveWorkspace, TransferWorkspace } from "@/components/workspace/endings";
import { RenameWorkspaceForm } from "@/components/workspace/name-forms";
import { mayAct } from "@/lib/contract/workspace";
import { listMembers } from "@/lib/tenants/workspaces/members";
import { workspaceContext } from "@/lib/web/session/context";
import { currentUser } from "@/lib/web/session/current-user";
import { deleteWorkspaceAction, leaveAction, transferAction, updateWorkspaceNameAction } from "../actions";

interface Props {
  params: Promise<{ workspaceId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return {
    title: `Workspace settings · ${(await workspaceContext((await params).workspaceId)).workspace.name}`,
  };
}

export default async function WorkspaceSettingsPage({ params }: Props) {
  const ctx = await workspaceContext((await params).workspaceId);
  const { workspace, role, actor } = ctx;
  const { demo } = await currentUser();
  const owns = role === "owner";
  const others = owns ? (await listMembers(ctx)).filter((member) => member.role !== "owner") : [];
  return (
    <>
      <PageHeader title="Workspace settings">For everyone in {workspace.name}.</PageHeader>
      <Section title="Name" hint="Shown in menus, emails and invitations.">
        {mayAct(role, "admin") ? (
          <RenameWorkspaceForm
            action={updateWorkspaceNameAction}
            workspaceId={workspace.id}
            name={workspace.name}
          />
        ) : (
          <p className="text-sm">{workspace.name}</p>
        )}
      </Section>
      <Section title="Workspace ID" hint="The operator needs it to change your plan.">
        <div className="flex items-center gap-2">
          <code className="font-mono text-note wrap-anywhere">{workspace.id}</code>
          <CopyButton text={workspace.id} label="Copy the workspace ID" />
        </div>
      </Section>
      {!demo && (
        <Section title="Leave and delete" tone="danger">
          <LeaveWorkspace action={leaveAction} workspace={workspace} name={actor.name} />
          {owns && <TransferWorkspace action={transferAction} workspace={workspace} members={others} />}
          {owns && <DeleteWorkspace action={deleteWorkspaceAction} workspace={workspace} />}
        </Section>
      )}
    </>
  );
}
