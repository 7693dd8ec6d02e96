import { Badge } from "@/components/ui/badge";
import { ConfirmButton } from "@/components/ui/confirm";
import { type Column, Table } from "@/components/ui/table";
import { Near } from "@/components/ui/time";
import type { FormAction } from "@/lib/contract/form-state";
import type { Role } from "@/lib/contract/roles";
import type { Invited, PendingInvitation } from "@/lib/contract/team";
import { RenewButton } from "./renew-button";
import { ROLE_WORDS } from "./roles";

interface Props {
  invitations: readonly PendingInvitation[];
  workspaceId: string;
  /** Roles that this person may give away. */
  roles: readonly Role[];
  actions: { renew: FormAction<Invited>; withdraw: FormAction<void> };
}

/** Invitations that nobody has accepted yet. */
export function InvitationTable({ invitations, workspaceId, roles, actions }: Props) {
  const columns: Column<PendingInvitation>[] = [
    { header: "Invited", cell: (invitation) => <Guest invitation={invitation} /> },
    { header: "Role", cell: ({ role }) => ROLE_WORDS[role].name, wide: true },
    { header: "Expires", cell: (invitation) => <Expiry invitation={invitation} />, wide: true },
    {
      header: "",
      numeric: true,
      cell: (invitation) =>
        roles.includes(invitation.role) && (
          <Buttons invitation={invitation} workspaceId={workspaceId} actions={actions} />
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
      <span className="font-medium break-all">{email ?? "Whoever has the link"}</span>
      <span className="text-[13px] text-muted">
        {invitedBy}, <Near at={createdAt} />
      </span>
    </span>
  );
}

function Expiry({ invitation: { expired, expiresAt } }: { invitation: PendingInvitation }) {
  return expired ? <Badge tone="warn">Expired</Badge> : <Near at={expiresAt} />;
}

function Buttons({
  invitation: { id, email },
  workspaceId,
  actions,
}: { invitation: PendingInvitation } & Pick<Props, "workspaceId" | "actions">) {
  const hidden = { workspaceId, invitationId: id };
  const who = email ?? "the link";
  return (
    <span className="inline-flex flex-wrap justify-end gap-2">
      <RenewButton action={actions.renew} hidden={hidden} email={email} />
      <ConfirmButton
        action={actions.withdraw}
        hidden={hidden}
        label="Withdraw"
        ariaLabel={`Withdraw the invitation for ${who}`}
        look={{ size: "sm" }}
        title="Withdraw this invitation?"
        description="Its link stops working at once. You can invite again at any time."
        submit="Withdraw"
        danger
        done="The invitation was withdrawn"
      />
    </span>
  );
}
