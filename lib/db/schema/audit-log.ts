import { jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { createdAt } from "./columns";

/** Who changed what, written in the transaction of the change. Ids are in order of time. */
export const auditLog = pgTable(
  "audit_log",
  {
    workspaceId: uuid("workspace_id").notNull(),
    id: uuid("id").notNull(),
    /** Null for what concerns the workspace itself. */
    appId: uuid("app_id"),
    actorKind: text("actor_kind", { enum: ["user", "system"] }).notNull(),
    actorId: uuid("actor_id"),
    /** The person's name and address as they were then, so that the entry outlives the account. */
    actorName: text("actor_name").notNull(),
    /** `noun.done`, such as `campaign.paused`. */
    action: text("action").notNull(),
    /** What it was done to: its kind, its id, and its name as it was then. */
    subject: text("subject").notNull(),
    subjectId: text("subject_id").notNull(),
    subjectName: text("subject_name"),
    before: jsonb("before").$type<Record<string, unknown>>(),
    after: jsonb("after").$type<Record<string, unknown>>(),
    /** The network address that the change came from; null for the service itself. */
    address: text("address"),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "audit_log_pkey", columns: [t.workspaceId, t.id] })],
);
