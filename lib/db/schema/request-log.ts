import { integer, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, createdAt } from "./columns";

/** The last days of API requests, for support. Its id is the request id, made in order of time. */
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
    /** Microseconds from the first byte read to the answer. */
    micros: integer("micros").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "request_log_pkey", columns: [t.appId, t.id] })],
);
