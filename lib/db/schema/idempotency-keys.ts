import { index, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { appId, bytea, bytesText, createdAt } from "./columns";

/** Answers kept for 24 hours under the caller's `Idempotency-Key`. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    appId: appId(),
    operation: text("operation", { enum: ["redeem", "claim"] }).notNull(),
    key: bytesText("key").notNull(),
    /** SHA-256 of the request; another body under the same key is a conflict. */
    requestHash: bytea("request_hash").notNull(),
    result: jsonb("result").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "idempotency_keys_pkey", columns: [t.appId, t.operation, t.key] }),
    // The sweep.
    index("idempotency_keys_created").on(t.appId, t.createdAt),
  ],
);
