import type { Metadata } from "next";
import { AuthHeading } from "@/components/account/auth-page";
import { ForgetSandboxKey } from "@/components/docs/sandbox-key";
import { workspacePath } from "@/components/shell/navigation";
import {
  AcceptForm,
  ClosedInvitation,
  GuestInvitation,
  OtherAccount,
} from "@/components/workspace/accept-invitation";
import { InvitationText, ROLE_GUIDE } from "@/components/workspace/roles";
import { findWorkspaceInvitation } from "@/lib/tenants/invitations/invitation";
import { findAccountUser } from "@/lib/web/session/current-user";
import { acceptAction, leaveAccountAction } from "./actions";

// The address is the secret, so it is hidden from other sites and from search engines.
export const metadata: Metadata = {
  title: "Invitation",
  robots: { index: false },
  referrer: "no-referrer",
};

interface Props {
  params: Promise<{ token: string }>;
}

export default async function InvitationPage({ params }: Props) {
  const { token } = await params;
  const [invitation, user] = await Promise.all([findWorkspaceInvitation(token), findAccountUser()]);
  if (invitation?.state !== "open") return <ClosedInvitation state={invitation?.state} />;
  const { workspace, role, email } = invitation;
  const path = `/invite/${token}`;
  return (
    <>
      <AuthHeading title={`Join ${workspace.name} on Metacode`}>
        <InvitationText invitation={invitation} />
        {ROLE_GUIDE[role].may}
      </AuthHeading>
      {!user && <ForgetSandboxKey />}
      {!user && <GuestInvitation path={path} email={email} />}
      {user && email !== null && email !== user.email && (
        <OtherAccount email={email} signedInAs={user.email} token={token} signOut={leaveAccountAction} />
      )}
      {user && (email === null || email === user.email) && (
        <AcceptForm
          action={acceptAction}
          token={token}
          workspace={workspace.name}
          email={user.email}
          home={
            user.workspaces.some(({ id }) => id === workspace.id) ? workspacePath(workspace.id) : undefined
          }
        />
      )}
    </>
  );
}
