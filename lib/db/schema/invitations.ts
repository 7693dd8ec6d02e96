import { pgTable, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { bytea, bytesText, createdAt, moment } from "./columns";

/** Links into a workspace, by the SHA-256 of their text. One is accepted once, withdrawn or left to expire. */
export const invitations = pgTable(
  "invitations",
  {
    workspaceId: uuid("workspace_id").notNull(),
    id: uuid("id").notNull(),
    tokenHash: bytea("token_hash").notNull(),
    /** Whom it was mailed to, and who alone may accept it; null for a link that was copied. */
    email: bytesText("email"),
    role: text("role", { enum: ["owner", "admin", "member", "viewer"] }).notNull(),
    invitedBy: uuid("invited_by").notNull(),
    createdAt: createdAt(),
    expiresAt: moment("expires_at").notNull(),
    acceptedAt: moment("accepted_at"),
    acceptedBy: uuid("accepted_by"),
    withdrawnAt: moment("withdrawn_at"),
  },
  (t) => [
    primaryKey({ name: "invitations_pkey", columns: [t.workspaceId, t.id] }),
    // Who opens the link has nothing but its text.
    uniqueIndex("invitations_token").on(t.tokenHash),
  ],
);
