import { index, pgTable, uuid } from "drizzle-orm/pg-core";
import { bytesText, createdAt } from "./columns";

/**
 * Whose landing pages a host shows, over all apps: verified domains only, in lower case and ASCII. A request names a
 * host and no app, so it is looked up here, as a metacode is in `slug_directory`.
 */
export const landingDomains = pgTable(
  "landing_domains",
  {
    domain: bytesText("domain").primaryKey(),
    appId: uuid("app_id").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // Giving up an app's former domain, and the rows of a deleted app.
    index("landing_domains_app").on(t.appId),
  ],
);
