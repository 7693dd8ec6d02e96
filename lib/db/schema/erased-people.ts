import { pgTable, primaryKey } from "drizzle-orm/pg-core";
import { appId, bytea, createdAt } from "./columns";

/** Keyed hashes of erased uids: the person is forgotten, the rule of one code a referee is not. */
export const erasedPeople = pgTable(
  "erased_people",
  {
    appId: appId(),
    uidHash: bytea("uid_hash").notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ name: "erased_people_pkey", columns: [t.appId, t.uidHash] })],
);
