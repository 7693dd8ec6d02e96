import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { appId, bytesText } from "./columns";

/** What an owner says on the landing page in place of a default text; a row taken away brings the default back. */
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
