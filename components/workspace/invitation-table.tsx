import { Badge } from "@/components/ui/badge";
import { type Column, Table } from "@/components/ui/table";
import { Near } from "@/components/ui/time";
import type { Role } from "@/lib/contract/roles";
import type { PendingInvitation } from "@/lib/contract/team";
import { type InvitationActions, InvitationMenu } from "./invitation-menu";
import { ROLE_WORDS } from "./roles";

interface Props {
  invitations: readonly PendingInvitation[];
  workspaceId: string;
  /** Roles that this person may give away. */
  roles: readonly Role[];
  actions: InvitationActions;
}

/** Invitations that nobody has accepted yet. */
export function InvitationTable({ invitations, workspaceId, roles, actions }: Props) {
  const columns: Column<PendingInvitation>[] = [
    { header: "Invited", cell: (invitation) => <Guest invitation={invitation} /> },
    { header: "Role", cell: ({ role }) => ROLE_WORDS[role].name },
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
    <section aria-labelledby="invitations" className="grid gap-3">
      <h2 id="invitations" className="text-sm font-semibold">
        Invitations
      </h2>
      <Table label="Invitations that wait" columns={columns} rows={invitations} rowKey={({ id }) => id} />
    </section>
  );
}

function Guest({ invitation: { email, invitedBy, createdAt } }: { invitation: PendingInvitation }) {
  return (
    <span className="grid gap-0.5">
      <span className="font-medium wrap-anywhere">{email ?? "Whoever has the link"}</span>
      <span className="text-[13px] text-muted">
        {invitedBy}, <Near at={createdAt} />
      </span>
    </span>
  );
}

function Expiry({ invitation: { expired, expiresAt } }: { invitation: PendingInvitation }) {
  return expired ? <Badge tone="warn">Expired</Badge> : <Near at={expiresAt} />;
}
