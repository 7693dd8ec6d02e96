import { sql } from "drizzle-orm";
import {
  bigint,
  date,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { bytea, bytesText, createdAt, timestampTz } from "./columns";

/** The paying tenant: it has apps, members and a monthly quota. */
export const workspaces = pgTable("workspaces", {
  id: uuid("id").primaryKey(),
  name: text("name").notNull(),
  plan: text("plan", { enum: ["free", "basic", "pro", "enterprise"] }).notNull(),
  /** Requests per month in place of the plan's own number. */
  quotaOverride: bigint("quota_override", { mode: "number" }),
  createdAt: createdAt(),
});

/** The members of a workspace with their roles. */
export const memberships = pgTable(
  "memberships",
  {
    workspaceId: uuid("workspace_id").notNull(),
    userId: uuid("user_id").notNull(),
    role: text("role", { enum: ["owner", "admin", "member", "support", "viewer"] }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "memberships_pkey", columns: [t.workspaceId, t.userId] }),
    // The workspaces of the user who has just signed in.
    index("memberships_user").on(t.userId),
  ],
);

/** Links into a workspace, by the SHA-256 of their text. Each is accepted once, withdrawn or expires. */
export const invitations = pgTable(
  "invitations",
  {
    workspaceId: uuid("workspace_id").notNull(),
    id: uuid("id").notNull(),
    tokenHash: bytea("token_hash").notNull(),
    /** The recipient's address, which alone may accept it; null for a copied link. */
    email: bytesText("email"),
    role: text("role", { enum: ["owner", "admin", "member", "support", "viewer"] }).notNull(),
    invitedBy: uuid("invited_by").notNull(),
    createdAt: createdAt(),
    expiresAt: timestampTz("expires_at").notNull(),
    acceptedAt: timestampTz("accepted_at"),
    acceptedBy: uuid("accepted_by"),
    withdrawnAt: timestampTz("withdrawn_at"),
  },
  (t) => [
    primaryKey({ name: "invitations_pkey", columns: [t.workspaceId, t.id] }),
    // The page of a link knows only its text.
    uniqueIndex("invitations_token").on(t.tokenHash),
  ],
);

/** A workspace's requests in one calendar month (UTC), including units that processes took ahead. */
export const quotaUsage = pgTable(
  "quota_usage",
  {
    workspaceId: uuid("workspace_id").notNull(),
    month: date("month", { mode: "string" }).notNull(),
    used: bigint("used", { mode: "number" }).notNull(),
    /** The highest count with a warning, because returned units let `used` pass the same threshold again. */
    alerted: bigint("alerted", { mode: "number" }).notNull().default(0),
    /** The highest of these that was announced by email. */
    mailed: bigint("mailed", { mode: "number" }).notNull().default(0),
  },
  (t) => [
    primaryKey({ name: "quota_usage_pkey", columns: [t.workspaceId, t.month] }),
    // The round that looks for workspaces near their quota: those with requests this month.
    index("quota_usage_month").on(t.month),
  ],
);

/** Every change with its actor, written in the transaction of the change. Ids are in order of time. */
export const auditLog = pgTable(
  "audit_log",
  {
    workspaceId: uuid("workspace_id").notNull(),
    id: uuid("id").notNull(),
    /** Null for a change of the workspace itself. */
    appId: uuid("app_id"),
    actorKind: text("actor_kind", { enum: ["user", "system"] }).notNull(),
    actorId: uuid("actor_id"),
    /** The actor's name and address at that time, so that the entry outlives the account. */
    actorName: text("actor_name").notNull(),
    /** `noun.done`, such as `campaign.paused`. */
    action: text("action").notNull(),
    /** The changed thing: its kind, its id, and its name at that time. */
    subject: text("subject").notNull(),
    subjectId: text("subject_id").notNull(),
    subjectName: text("subject_name"),
    before: jsonb("before").$type<Record<string, unknown>>(),
    after: jsonb("after").$type<Record<string, unknown>>(),
    /** The network address that the change came from; null for the service itself. */
    address: text("address"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "audit_log_pkey", columns: [t.workspaceId, t.id] }),
    // The round that follows changes: apps that were changed by hand.
    index("audit_log_created").on(t.createdAt).where(sql`app_id is not null`),
  ],
);
