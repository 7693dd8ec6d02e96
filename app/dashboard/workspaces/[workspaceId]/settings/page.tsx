import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { CopyButton } from "@/components/ui/copy-button";
import { Section } from "@/components/ui/section";
import { DeleteWorkspace, LeaveWorkspace, TransferWorkspace } from "@/components/workspace/endings";
import { RenameForm } from "@/components/workspace/rename-form";
import { mayAct } from "@/lib/contract/roles";
import { workspaceContext } from "@/lib/session/context";
import { listMembers } from "@/lib/workspaces/list-members";
import { deleteWorkspaceAction, leaveAction, renameAction, transferAction } from "../actions";

interface Props {
  params: Promise<{ workspaceId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Settings · ${(await workspaceContext((await params).workspaceId)).workspace.name}` };
}

export default async function WorkspaceSettingsPage({ params }: Props) {
  const ctx = await workspaceContext((await params).workspaceId);
  const { workspace, role, actor } = ctx;
  const owns = role === "owner";
  const others = owns ? (await listMembers(ctx)).filter((one) => one.role !== "owner") : [];
  return (
    <>
      <PageHeader title="Settings">The workspace {workspace.name} itself.</PageHeader>
      <Section title="Name" hint="As it stands in menus, mails and invitations.">
        {mayAct(role, "admin") ? (
          <RenameForm action={renameAction} workspaceId={workspace.id} name={workspace.name} />
        ) : (
          <p className="text-sm">{workspace.name}</p>
        )}
      </Section>
      <Section title="Workspace ID" hint="The operator asks for it to change the plan.">
        <div className="flex items-center gap-2">
          <code className="font-mono text-[13px] break-all">{workspace.id}</code>
          <CopyButton text={workspace.id} label="Copy the workspace ID" />
        </div>
      </Section>
      <Section title="Leave and delete" tone="danger">
        <LeaveWorkspace action={leaveAction} workspace={workspace} name={actor.name} />
        {owns && <TransferWorkspace action={transferAction} workspace={workspace} people={others} />}
        {owns && <DeleteWorkspace action={deleteWorkspaceAction} workspace={workspace} />}
      </Section>
    </>
  );
}
