import { index, pgTable, uuid } from "drizzle-orm/pg-core";
import { bytesText, createdAt } from "./columns";

/**
 * Who owns a metacode, over all apps. Uniqueness lives here and not on `referrers`, because a table sharded by app
 * cannot enforce it. The landing page, which has no key, finds the app through it.
 */
export const slugDirectory = pgTable(
  "slug_directory",
  {
    slug: bytesText("slug").primaryKey(),
    appId: uuid("app_id").notNull(),
    referrerId: uuid("referrer_id").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // The sweep of reservations older than a day whose referrer was never made.
    index("slug_directory_created").on(t.createdAt),
  ],
);
