import { boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { createdAt } from "./columns";

/** One mobile app: the tenant of everything below. */
export const apps = pgTable(
  "apps",
  {
    id: uuid("id").primaryKey(),
    workspaceId: uuid("workspace_id").notNull(),
    name: text("name").notNull(),
    /** A sandbox app has `mc_test_` keys and accepts sandbox purchases as confirmations. */
    sandbox: boolean("sandbox").notNull().default(false),
    /** Numeric Apple app id, as in `https://apps.apple.com/app/id<n>`. */
    appleAppId: text("apple_app_id"),
    /** Play package, such as `com.example.app`. */
    androidPackage: text("android_package"),
    /** How long a retried redeem still carries the first answer; 0 switches it off. */
    retryWindowHours: integer("retry_window_hours").notNull().default(24),
    /** Fraud rule: redemptions that one referrer may bring in 24 hours; null switches it off. */
    referrerDailyCap: integer("referrer_daily_cap"),
    createdAt: createdAt(),
  },
  (t) => [
    // The dashboard's list of a workspace's apps.
    index("apps_workspace").on(t.workspaceId),
  ],
);
