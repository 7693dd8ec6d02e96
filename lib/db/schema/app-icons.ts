import { pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytea } from "./columns";

/** An app's icon as uploaded; its address carries the hash, so it is cached for ever. */
export const appIcons = pgTable("app_icons", {
  appId: uuid("app_id").primaryKey(),
  type: text("type", { enum: ["image/png", "image/jpeg", "image/webp"] }).notNull(),
  /** SHA-256 of the bytes, hexadecimal. */
  hash: text("hash").notNull(),
  bytes: bytea("bytes").notNull(),
});
