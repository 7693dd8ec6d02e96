import { Badge } from "@/components/ui/badge";
import { type Column, Table } from "@/components/ui/table";
import { LocalTime } from "@/components/ui/time";
import type { Role, TeamMember } from "@/lib/contract/workspace";
import { type MemberActions, MemberMenu } from "./member-menu";
import { ROLE_GUIDE } from "./roles";

interface Props {
  members: readonly TeamMember[];
  workspaceId: string;
  /** The id of the viewing user. */
  self: string;
  /** Roles that the viewing user may assign; empty for read-only roles. */
  roles: readonly Role[];
  actions: MemberActions;
}

/** The members of a workspace. */
export function MemberTable({ members, workspaceId, self, roles, actions }: Props) {
  const columns: Column<TeamMember>[] = [
    { header: "Member", cell: (member) => <Member member={member} self={self} /> },
    { header: "Role", cell: ({ role }) => ROLE_GUIDE[role].name },
    { header: "Two-factor", cell: ({ twoFactor }) => <TwoFactor on={twoFactor} />, wide: true },
    { header: "Joined", cell: ({ joinedAt }) => <LocalTime at={joinedAt} shape="day" />, wide: true },
  ];
  const menu: Column<TeamMember> = {
    header: "",
    numeric: true,
    cell: (member) =>
      roles.includes(member.role) && (
        <MemberMenu {...{ member, workspaceId, roles, actions }} own={member.id === self} />
      ),
  };
  return (
    <Table
      label="Team"
      columns={roles.length > 0 ? [...columns, menu] : columns}
      rows={members}
      rowKey={({ id }) => id}
    />
  );
}

function Member({ member, self }: { member: TeamMember; self: string }) {
  return (
    <span className="grid gap-0.5">
      <span className="flex items-center gap-2 font-medium">
        {member.name}
        {member.id === self && <Badge>You</Badge>}
      </span>
      <span className="text-note wrap-anywhere text-muted">{member.email}</span>
    </span>
  );
}

function TwoFactor({ on }: { on: boolean }) {
  return <Badge tone={on ? "good" : "neutral"}>{on ? "On" : "Off"}</Badge>;
}
