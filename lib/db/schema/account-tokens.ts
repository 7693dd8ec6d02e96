import { index, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytea, bytesText, createdAt, moment } from "./columns";

/** Links sent by mail, by the SHA-256 of their text. Each works once, until it expires. */
export const accountTokens = pgTable(
  "account_tokens",
  {
    tokenHash: bytea("token_hash").primaryKey(),
    userId: uuid("user_id").notNull(),
    purpose: text("purpose", { enum: ["verify", "reset"] }).notNull(),
    /** The address it was sent to: another one since makes it worthless. */
    email: bytesText("email").notNull(),
    createdAt: createdAt(),
    expiresAt: moment("expires_at").notNull(),
    usedAt: moment("used_at"),
  },
  (t) => [
    // Ending a person's other links, and the sweep of a deleted account.
    index("account_tokens_user").on(t.userId, t.purpose),
  ],
);
