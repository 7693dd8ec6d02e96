import type { Role } from "@/lib/contract/roles";

/** What each role may do, least first. */
export const ROLE_WORDS: Record<Role, { name: string; may: string }> = {
  viewer: { name: "Viewer", may: "Reads everything but the audit log, and changes nothing." },
  member: { name: "Member", may: "Runs the program: campaigns, codes, referrers and support." },
  admin: {
    name: "Admin",
    may: "What a member may, and keys, integrations, settings, the audit log, and people up to admin.",
  },
  owner: {
    name: "Owner",
    may: "Everything: also exports codes, erases people, deletes, and decides who owns the workspace.",
  },
};

/** Roles as choices of a field. */
export const roleChoices = (roles: readonly Role[]) =>
  roles.map((role) => ({ value: role, name: ROLE_WORDS[role].name }));
