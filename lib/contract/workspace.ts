import { z } from "zod";
import { wholeField } from "./fields";
import type { EmailDestination } from "./form-state";

/** The roles in a workspace, lowest first; each includes the rights of the roles before it. */
export const ROLES = ["viewer", "support", "member", "admin", "owner"] as const;

export type Role = (typeof ROLES)[number];

/** Whether `role` is at least `needed`. */
export function mayAct(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** "the workspace Acme" within a sentence, and the first name of a workspace, "Ann's workspace", without the word twice. */
export const workspacePhrase = (name: string): string =>
  /['’]s workspace$/.test(name) ? name : `the workspace ${name}`;

/** The plans of section 8, as the operator writes them. */
export const planField = z.enum(["free", "basic", "pro", "enterprise"], {
  error: "plan must be 'free', 'basic', 'pro' or 'enterprise'",
});

export type Plan = z.output<typeof planField>;

/** Requests per month that replace the plan's own number. */
export const quotaField = wholeField("quota", 0, 1_000_000_000_000);

/** A member of a workspace as the other members see it. */
export interface TeamMember {
  id: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
  twoFactor: boolean;
}

/** A pending invitation without its link, which is shown only once. */
export interface PendingInvitation {
  id: string;
  /** The address that it was emailed to; null for a link. */
  email: string | null;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
  expired: boolean;
}

/** The result of an invitation. */
export interface SentInvitation {
  id: string;
  /** The address that it was emailed to; null for a link. */
  email: string | null;
  /** The link, which is shown only here; null for an emailed invitation. */
  url: string | null;
  /** Where the email is found. */
  place?: EmailDestination;
}
