import type { Metadata } from "next";
import { PageHeader } from "@/components/dashboard/page-header";
import { InvitationTable } from "@/components/workspace/invitation-table";
import { InviteButton } from "@/components/workspace/invite-button";
import { LinkReveal } from "@/components/workspace/link-reveal";
import { MemberTable } from "@/components/workspace/member-table";
import { RoleGuide } from "@/components/workspace/role-guide";
import { mayAct } from "@/lib/contract/roles";
import { listInvitations } from "@/lib/invitations/list";
import { rolesInReach } from "@/lib/invitations/out-of-reach";
import { workspaceContext } from "@/lib/session/context";
import { listMembers } from "@/lib/workspaces/list-members";
import { changeRoleAction, inviteAction, removeMemberAction, renewAction, withdrawAction } from "./actions";

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
  const roles = rolesInReach(role);
  const [members, invitations] = await Promise.all([
    listMembers(ctx),
    manages ? listInvitations(ctx) : Promise.resolve([]),
  ]);
  const invite = manages && <InviteButton action={inviteAction} workspaceId={workspace.id} roles={roles} />;
  return (
    <LinkReveal>
      <PageHeader title="Team" action={invite}>
        Who works in {workspace.name}, and what each may do.
      </PageHeader>
      <MemberTable
        members={members}
        workspaceId={workspace.id}
        self={actor.id}
        roles={roles}
        actions={{ changeRole: changeRoleAction, remove: removeMemberAction }}
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
    </LinkReveal>
  );
}
