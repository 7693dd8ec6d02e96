import { customType, timestamp, uuid } from "drizzle-orm/pg-core";

/**
 * Text compared byte by byte. Ids, metacodes and codes must sort and match alike on every machine, and a database
 * moved between C libraries keeps its indexes only when no locale is in them. `COLLATE "C"` also costs less per row.
 */
export const bytesText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text COLLATE "C"',
});

/** Bytes; JavaScript sees a `Buffer`. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => "bytea" });

/** A point in time with its zone; JavaScript sees a `Date`. */
export const timestampTz = (name: string) => timestamp(name, { withTimezone: true, mode: "date" });

/** Creation time of the row, by the database's clock. */
export const createdAt = () => timestampTz("created_at").notNull().defaultNow();

/** The tenant. It leads every key, unique index and statement, so that rows can be sharded by it. */
export const appId = () => uuid("app_id").notNull();
