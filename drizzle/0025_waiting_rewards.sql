ALTER TABLE "rewards" ADD COLUMN "waits_for" text;--> statement-breakpoint
ALTER TABLE "rewards" ADD COLUMN "waits_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "refill_rules" ADD COLUMN "later_offers" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "rewards_waiting" ON "rewards" USING btree ("app_id","campaign_id","platform") WHERE waits_for = 'same_offer';--> statement-breakpoint
CREATE INDEX "rewards_waits_since" ON "rewards" USING btree ("waits_since") WHERE waits_since is not null;