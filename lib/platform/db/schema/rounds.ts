import { sql } from "drizzle-orm";
import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, timestampTz } from "./columns";

/** Recurring work, of one app or, under the nil id, of the whole installation. */
export const rounds = pgTable(
  "rounds",
  {
    appId: appId(),
    name: text("name").notNull(),
    /** When it is to run next; null until something marks it. */
    dueAt: timestampTz("due_at"),
    /** When it was last marked because something changed. */
    markedAt: timestampTz("marked_at"),
    /** When the run under way began, and the lease of its process. */
    startedAt: timestampTz("started_at"),
    lease: uuid("lease"),
    leasedUntil: timestampTz("leased_until"),
    /** When the last completed run began: it saw everything that was committed before. */
    seenAt: timestampTz("seen_at"),
    /** When the first retry of a round that has failed since was due; null after a completed run. */
    failingSince: timestampTz("failing_since"),
  },
  (t) => [
    primaryKey({ name: "rounds_pkey", columns: [t.appId, t.name] }),
    // Due rounds, over all apps.
    index("rounds_due").on(t.dueAt).where(sql`due_at is not null`),
    // Failing rounds, for health and problems.
    index("rounds_failing").on(t.failingSince).where(sql`failing_since is not null`),
  ],
);
