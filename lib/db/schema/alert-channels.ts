import { sql } from "drizzle-orm";
import { boolean, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt } from "./columns";

/** Where an app's alerts go beside the mail to its owners and admins. */
export const alertChannels = pgTable(
  "alert_channels",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    type: text("type", { enum: ["slack", "discord", "mail"] }).notNull(),
    /** The owner's word for it; empty shows where it leads. */
    name: text("name").notNull(),
    /** An incoming webhook's address, which is a secret by itself, or a mail address. */
    target: text("target").notNull(),
    kinds: text("kinds").array().notNull().default(sql`'{}'::text[]`),
    enabled: boolean("enabled").notNull().default(true),
    /** Why nothing is sent any more: the other end said that the address is gone. */
    stoppedBecause: text("stopped_because"),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "alert_channels_pkey", columns: [t.appId, t.id] })],
);
