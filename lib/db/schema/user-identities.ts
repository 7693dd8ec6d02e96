import { index, pgTable, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { createdAt } from "./columns";

/** Accounts elsewhere with which a person signs in. */
export const userIdentities = pgTable(
  "user_identities",
  {
    provider: text("provider", { enum: ["github", "google"] }).notNull(),
    /** The provider's own id of the account; its e-mail address may change hands. */
    providerAccountId: text("provider_account_id").notNull(),
    userId: uuid("user_id").notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: "user_identities_pkey", columns: [t.provider, t.providerAccountId] }),
    // The person's own list.
    index("user_identities_user").on(t.userId),
  ],
);
