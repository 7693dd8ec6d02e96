import type { Role } from "@/lib/contract/roles";

/** What each role may do, least first. */
export const ROLE_WORDS: Record<Role, { name: string; may: string }> = {
  viewer: { name: "Viewer", may: "Reads everything but the audit log." },
  member: { name: "Member", may: "Also runs the program: campaigns, codes, referrers, support." },
  admin: { name: "Admin", may: "Also keys, integrations, settings, the audit log, and people up to admin." },
  owner: {
    name: "Owner",
    may: "Also exports codes, erases people, deletes, and decides who owns the workspace.",
  },
};

/** Roles as choices of a field. */
export const roleChoices = (roles: readonly Role[]) =>
  roles.map((role) => ({ value: role, name: ROLE_WORDS[role].name }));
