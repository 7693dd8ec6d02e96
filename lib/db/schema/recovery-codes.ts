import { pgTable, primaryKey, uuid } from "drizzle-orm/pg-core";
import { bytea, moment } from "./columns";

/** One-time ways past the second factor, by the SHA-256 of their text, which is shown once. */
export const recoveryCodes = pgTable(
  "recovery_codes",
  {
    userId: uuid("user_id").notNull(),
    codeHash: bytea("code_hash").notNull(),
    usedAt: moment("used_at"),
  },
  (t) => [primaryKey({ name: "recovery_codes_pkey", columns: [t.userId, t.codeHash] })],
);
