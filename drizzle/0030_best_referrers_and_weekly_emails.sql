CREATE TABLE "weekly_emails" (
	"app_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"token" uuid NOT NULL,
	"sent_week" date NOT NULL,
	CONSTRAINT "weekly_emails_pkey" PRIMARY KEY("app_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "unsubscribe_url" text;--> statement-breakpoint
ALTER TABLE "referrers" ADD COLUMN "confirmed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Once, over all referrers with a confirmed referral. Later ones are counted by the roll-up.
UPDATE "referrers" r SET "confirmed" = g.confirmed
  FROM (SELECT app_id, referrer_id, sum(confirmed)::int AS confirmed FROM "referrer_progress"
         WHERE confirmed > 0 GROUP BY app_id, referrer_id) g
 WHERE r.app_id = g.app_id AND r.id = g.referrer_id;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "referrers_best" ON "referrers" USING btree ("app_id","confirmed","id") WHERE confirmed > 0;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "referrers_campaign_best" ON "referrers" USING btree ("app_id","campaign_id","confirmed","id") WHERE campaign_id is not null;