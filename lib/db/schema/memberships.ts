import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { createdAt } from "./columns";

/** Which people may do what in which workspace. */
export const memberships = pgTable(
  "memberships",
  {
    workspaceId: uuid("workspace_id").notNull(),
    userId: uuid("user_id").notNull(),
    role: text("role", { enum: ["owner", "admin", "member", "viewer"] }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "memberships_pkey", columns: [t.workspaceId, t.userId] }),
    // The workspaces of the person who has just signed in.
    index("memberships_user").on(t.userId),
  ],
);
