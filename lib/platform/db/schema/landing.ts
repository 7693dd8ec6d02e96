import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { appId, bytesText, createdAt } from "./columns";

/**
 * The app of each host with landing pages: verified domains only, in lower case and ASCII. A request names a host and
 * no app, so the app is looked up here, as for a metacode in `slug_directory`.
 */
export const landingDomains = pgTable(
  "landing_domains",
  {
    domain: bytesText("domain").primaryKey(),
    appId: uuid("app_id").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    // Releasing an app's former domain, and the rows of a deleted app.
    index("landing_domains_app").on(t.appId),
  ],
);

/** The owner's texts on the landing page; without a row the default is shown. */
export const landingTexts = pgTable(
  "landing_texts",
  {
    appId: appId(),
    /** As in `LANDING_LANGUAGES`, such as `pt-BR`. */
    language: bytesText("language").notNull(),
    /** As in `OWN_TEXTS`, such as `lead`. */
    key: bytesText("key").notNull(),
    text: text("text").notNull(),
  },
  (t) => [primaryKey({ name: "landing_texts_pkey", columns: [t.appId, t.language, t.key] })],
);
