import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { appId, moment } from "./columns";

/** What is wrong in an app right now and was told. The row goes when it is mended, and with that it is armed again. */
export const alerts = pgTable(
  "alerts",
  {
    appId: appId(),
    kind: text("kind").notNull(),
    /** What it is about: the id of a pool, batch, connection or endpoint, a month, or the kind itself. */
    subject: text("subject").notNull(),
    title: text("title").notNull(),
    detail: text("detail").notNull(),
    /** Where it is mended, below the app's own path. */
    path: text("path").notNull(),
    toldAt: moment("told_at").notNull().defaultNow(),
  },
  (t) => [primaryKey({ name: "alerts_pkey", columns: [t.appId, t.kind, t.subject] })],
);
