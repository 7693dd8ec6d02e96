DROP INDEX "rewards_waiting";--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "rewards_on" text DEFAULT 'friend' NOT NULL;--> statement-breakpoint
ALTER TABLE "rewards" ADD COLUMN "waits_on" text;--> statement-breakpoint
CREATE INDEX "rewards_waiting" ON "rewards" USING btree ("app_id","campaign_id","waits_on") WHERE waits_for = 'same_offer';