import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { bytea, createdAt, timestampTz } from "./columns";

/** A mobile app: the tenant that every row of the program belongs to. */
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
    /** Hours for which a retried redeem returns the first response; 0 disables that. */
    retryWindowHours: integer("retry_window_hours").notNull().default(24),
    /** Fraud rule: redemptions that one referrer may bring in 24 hours, influencers aside; null disables it. */
    referrerDailyCap: integer("referrer_daily_cap"),
    /** Redemptions beyond a cap, of a referrer or an address, wait for a member's review instead of being refused. */
    reviewsBeyondCaps: boolean("reviews_beyond_caps").notNull().default(false),
    /** The sandbox of a live app, or the live app of a sandbox. */
    twinId: uuid("twin_id"),
    /** `#rrggbb`, on the landing page. */
    accentColor: text("accent_color"),
    /** Hash of the icon in `app_icons`. */
    iconHash: text("icon_hash"),
    /** Needed for `apple-app-site-association`, together with the bundle id. */
    appleTeamId: text("apple_team_id"),
    iosBundleId: text("ios_bundle_id"),
    /** SHA-256 fingerprints of the signing certificates, for `assetlinks.json`. */
    androidFingerprints: text("android_fingerprints").array().notNull().default(sql`'{}'::text[]`),
    /** The owner's own host for the landing pages, active once `landing_domains` assigns it to this app. */
    landingDomain: text("landing_domain"),
    landingDomainVerifiedAt: timestampTz("landing_domain_verified_at"),
    /**
     * The time since which a verified domain's record has been missing; links keep working. With an unverified domain:
     * the time since which another app has had it.
     */
    landingDomainLostAt: timestampTz("landing_domain_lost_at"),
    /** Days for which API requests are listed. */
    requestLogDays: integer("request_log_days").notNull().default(7),
    /** Days after which a provider's payload is deleted, except for the fields that were read from it. */
    payloadDays: integer("payload_days").notNull().default(90),
    /** Whether an end user was erased: redeem then looks a uid up by its keyed hash as well. */
    hasErased: boolean("has_erased").notNull().default(false),
    /**
     * Set when the owner deletes the app: its keys stop working at once, and its rows are deleted in the background
     * later.
     */
    deletedAt: timestampTz("deleted_at"),
    createdAt: createdAt(),
  },
  (t) => [
    // The dashboard's list of a workspace's apps.
    index("apps_workspace").on(t.workspaceId),
    // The round for new apps.
    index("apps_created").on(t.createdAt),
    // The sweep: apps whose grace period has ended.
    index("apps_deleted").on(t.deletedAt).where(sql`deleted_at is not null`),
  ],
);

/** An app's icon as uploaded; its address carries the hash, so it is cached forever. */
export const appIcons = pgTable("app_icons", {
  appId: uuid("app_id").primaryKey(),
  type: text("type", { enum: ["image/png", "image/jpeg", "image/webp"] }).notNull(),
  /** SHA-256 of the bytes, hexadecimal. */
  hash: text("hash").notNull(),
  bytes: bytea("bytes").notNull(),
});
