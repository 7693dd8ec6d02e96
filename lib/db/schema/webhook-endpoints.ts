import { boolean, integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt, moment } from "./columns";

/** Where an app owner wants to be told of events. */
export const webhookEndpoints = pgTable(
  "webhook_endpoints",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    url: text("url").notNull(),
    /** What it is for, in the owner's words. */
    description: text("description"),
    events: text("events").array().notNull(),
    secret: text("secret").notNull(),
    /** The one before a rotation: until then deliveries are signed with both. */
    formerSecret: text("former_secret"),
    formerUntil: moment("former_until"),
    enabled: boolean("enabled").notNull().default(true),
    /** Why it is off: the owner, an answer 410, or days without a success. */
    disabledReason: text("disabled_reason", { enum: ["owner", "gone", "failing"] }),
    disabledAt: moment("disabled_at"),
    /** Failures in a row, not counting those within a slowed time; 0 after a success. */
    failures: integer("failures").notNull().default(0),
    failingSince: moment("failing_since"),
    /** Until then nothing is attempted. */
    slowedUntil: moment("slowed_until"),
    warnedAt: moment("warned_at"),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "webhook_endpoints_pkey", columns: [t.appId, t.id] })],
);
