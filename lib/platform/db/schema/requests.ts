import { index, integer, jsonb, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, bytea, bytesText, createdAt } from "./columns";

/** The API requests of the last days, for support. The id is the request id, in order of time. */
export const requestLog = pgTable(
  "request_log",
  {
    appId: appId(),
    id: uuid("id").notNull(),
    keyId: uuid("key_id").notNull(),
    method: text("method").notNull(),
    path: text("path").notNull(),
    status: integer("status").notNull(),
    errorCode: text("error_code"),
    /** The public message of the error: why the request was refused. */
    message: text("message"),
    /** Microseconds from the first byte to the response. */
    micros: integer("micros").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "request_log_pkey", columns: [t.appId, t.id] })],
);

/** A listed request's end user, typed metacode and platform: for up to seven days, and until an erasure. */
export const requestSubjects = pgTable(
  "request_subjects",
  {
    appId: appId(),
    /** The request. */
    id: uuid("id").notNull(),
    uid: bytesText("uid").notNull(),
    metacode: bytesText("metacode"),
    platform: text("platform"),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "request_subjects_pkey", columns: [t.appId, t.id] }),
    // A person's page, and erasure.
    index("request_subjects_uid").on(t.appId, t.uid, t.id),
  ],
);

/** Answers stored for 24 hours under the caller's `Idempotency-Key`. */
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
