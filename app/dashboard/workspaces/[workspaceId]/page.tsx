import type { Metadata } from "next";
import { PageHeader } from "@/components/ui/page-header";
import { SecretReveal } from "@/components/ui/secret-reveal";
import { InvitationTable } from "@/components/workspace/invitation-table";
import { InviteButton } from "@/components/workspace/invite";
import { MemberTable } from "@/components/workspace/member-table";
import { RoleGuide } from "@/components/workspace/roles";
import { mayAct } from "@/lib/contract/workspace";
import { listInvitations } from "@/lib/tenants/invitations/invitation";
import { listMembers } from "@/lib/tenants/workspaces/members";
import { grantableRoles } from "@/lib/tenants/workspaces/pending-invitations";
import { workspaceContext } from "@/lib/web/session/context";
import { inviteAction, removeMemberAction, renewAction, updateRoleAction, withdrawAction } from "./actions";

interface Props {
  params: Promise<{ workspaceId: string }>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: `Team · ${(await workspaceContext((await params).workspaceId)).workspace.name}` };
}

export default async function TeamPage({ params }: Props) {
  const ctx = await workspaceContext((await params).workspaceId);
  const { workspace, role, actor } = ctx;
  const manages = mayAct(role, "admin");
  const roles = grantableRoles(role);
  const [members, invitations] = await Promise.all([
    listMembers(ctx),
    manages ? listInvitations(ctx) : Promise.resolve([]),
  ]);
  const invite = manages && <InviteButton action={inviteAction} workspaceId={workspace.id} roles={roles} />;
  return (
    <SecretReveal>
      <PageHeader title="Team" action={invite}>
        The members of {workspace.name} and their roles.
      </PageHeader>
      <MemberTable
        members={members}
        workspaceId={workspace.id}
        self={actor.id}
        roles={roles}
        actions={{ changeRole: updateRoleAction, remove: removeMemberAction }}
      />
      {invitations.length > 0 && (
        <InvitationTable
          invitations={invitations}
          workspaceId={workspace.id}
          roles={roles}
          actions={{ renew: renewAction, withdraw: withdrawAction }}
        />
      )}
      <RoleGuide />
    </SecretReveal>
  );
}
