import { Badge } from "@/components/ui/badge";
import { ListSection } from "@/components/ui/section";
import { type Column, Table } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import type { PendingInvitation, Role } from "@/lib/contract/workspace";
import { type InvitationActions, InvitationMenu } from "./invite";
import { ROLE_GUIDE } from "./roles";

interface Props {
  invitations: readonly PendingInvitation[];
  workspaceId: string;
  /** Roles that the viewing user may assign. */
  roles: readonly Role[];
  actions: InvitationActions;
}

/** Invitations that are not accepted yet. */
export function InvitationTable({ invitations, workspaceId, roles, actions }: Props) {
  const columns: Column<PendingInvitation>[] = [
    { header: "Invited", cell: (invitation) => <Guest invitation={invitation} /> },
    { header: "Role", cell: ({ role }) => ROLE_GUIDE[role].name },
    { header: "Expires", cell: (invitation) => <Expiry invitation={invitation} />, wide: true },
    {
      header: "",
      numeric: true,
      cell: (invitation) =>
        roles.includes(invitation.role) && (
          <InvitationMenu
            email={invitation.email}
            hidden={{ workspaceId, invitationId: invitation.id }}
            actions={actions}
          />
        ),
    },
  ];
  return (
    <ListSection title="Invitations">
      <Table label="Pending invitations" columns={columns} rows={invitations} rowKey={({ id }) => id} />
    </ListSection>
  );
}

function Guest({ invitation: { email, invitedBy, createdAt } }: { invitation: PendingInvitation }) {
  return (
    <span className="grid gap-0.5">
      <span className="font-medium wrap-anywhere">{email ?? "Anyone with the link"}</span>
      <span className="text-note text-muted">
        {invitedBy}, <RelativeTime at={createdAt} />
      </span>
    </span>
  );
}

function Expiry({ invitation: { expired, expiresAt } }: { invitation: PendingInvitation }) {
  return expired ? <Badge tone="warn">Expired</Badge> : <RelativeTime at={expiresAt} />;
}
