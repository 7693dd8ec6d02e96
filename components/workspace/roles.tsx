import type { EmailDestination } from "@/lib/contract/form-state";
import { ROLES, type Role, workspacePhrase } from "@/lib/contract/workspace";

/** The name of each role and what it may do, in the order of their rights. */
export const ROLE_GUIDE: Record<Role, { name: string; may: string }> = {
  viewer: { name: "Viewer", may: "Reads everything except the audit log. Cannot change anything." },
  support: {
    name: "Support",
    may: "Reads everything except the audit log, and helps users: replaces codes, confirms, reverses, releases, links. Cannot change campaigns or import codes.",
  },
  member: {
    name: "Member",
    may: "Runs the program: campaigns, codes and referrers. Helps users as support does.",
  },
  admin: {
    name: "Admin",
    may: "Does all that a member does, and manages keys, integrations, settings, the audit log, and members up to admin.",
  },
  owner: {
    name: "Owner",
    may: "Does everything: also exports codes, erases end users, deletes apps, and makes other owners.",
  },
};

/** Roles as the choices of a field. */
export const roleChoices = (roles: readonly Role[]) =>
  roles.map((role) => ({ value: role, name: ROLE_GUIDE[role].name }));

/** A folded list of what each role may do. */
export function RoleGuide() {
  return (
    <details className="text-sm">
      <summary className="w-fit rounded-md py-1 text-muted hover:text-ink">What each role may do</summary>
      <dl className="mt-2 grid gap-x-6 gap-y-2 rounded-xl border border-line bg-surface p-5 sm:grid-cols-[6rem_1fr]">
        {ROLES.map((role) => (
          <div key={role} className="contents">
            <dt className="font-medium">{ROLE_GUIDE[role].name}</dt>
            <dd className="text-muted max-sm:pb-2">{ROLE_GUIDE[role].may}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

type Invitation = { workspace: { name: string }; invitedBy: string; role: Role };

/** The inviter, the workspace and the role. Tenants choose the names, so the heading is never a name alone. */
export function InvitationText({ invitation }: { invitation: Invitation }) {
  const { workspace, invitedBy, role } = invitation;
  return `${invitedBy} invites you to ${workspacePhrase(workspace.name)}. Your role: ${ROLE_GUIDE[role].name.toLowerCase()}. `;
}

/** The toast after an invitation was emailed, by the place where the recipient finds it. */
export const INVITED: Record<EmailDestination, (address: string) => string> = {
  inbox: (address) => `Invitation sent to ${address}`,
  late: (address) => `Emails are delayed. The invitation to ${address} will be sent later`,
  mailbox: (address) => `The invitation to ${address} is in the mailbox of this service`,
  log: (address) => `No mail server: the invitation to ${address} is in the service’s log`,
};
