import type { Role } from "./roles";

/** A person of a workspace, as the others there see it. */
export interface TeamMember {
  id: string;
  name: string;
  email: string;
  role: Role;
  joinedAt: Date;
  twoFactor: boolean;
}

/** An invitation that waits, without its link: nobody can read that a second time. */
export interface PendingInvitation {
  id: string;
  /** Whom it was mailed to; null for a link. */
  email: string | null;
  role: Role;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
  expired: boolean;
}

/** What came of inviting somebody. */
export interface Invited {
  id: string;
  /** Whom it was mailed to; null for a link. */
  email: string | null;
  /** The link, this one time; null where it was mailed. */
  url: string | null;
}
