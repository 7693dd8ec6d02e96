import type { Metadata } from "next";
import { AuthHeading } from "@/components/account/auth-heading";
import { AcceptForm } from "@/components/workspace/accept-form";
import { ClosedInvitation, GuestWays, OtherAccount } from "@/components/workspace/invitation-ways";
import { ROLE_WORDS } from "@/components/workspace/roles";
import { lookUpInvitation } from "@/lib/invitations/look-up";
import { findCurrentPerson } from "@/lib/session/person";
import { acceptAction } from "./actions";

// The address is the secret: no other site may learn it from a link, and no search engine.
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
  const [invitation, person] = await Promise.all([lookUpInvitation(token), findCurrentPerson()]);
  if (invitation?.state !== "open") return <ClosedInvitation state={invitation?.state} />;
  const { workspace, role, invitedBy, email } = invitation;
  const { name, may } = ROLE_WORDS[role];
  const path = `/invite/${token}`;
  return (
    <>
      <AuthHeading title={`Join ${workspace.name}`}>
        {invitedBy} invites you to this workspace. Your role there: {name.toLowerCase()}. {may}
      </AuthHeading>
      {!person && <GuestWays path={path} email={email} />}
      {person && email !== null && email !== person.email && (
        <OtherAccount email={email} signedInAs={person.email} />
      )}
      {person && (email === null || email === person.email) && (
        <AcceptForm
          action={acceptAction}
          token={token}
          workspace={workspace}
          email={person.email}
          joined={person.workspaces.some(({ id }) => id === workspace.id)}
        />
      )}
    </>
  );
}
