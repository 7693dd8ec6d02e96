DROP INDEX "referrers_name";--> statement-breakpoint
ALTER TABLE "referrals" ADD COLUMN "reversed_by" uuid;--> statement-breakpoint
CREATE INDEX "referrals_created" ON "referrals" USING btree ("app_id","created_at","id");--> statement-breakpoint
CREATE INDEX "referrers_name" ON "referrers" USING btree ("app_id","left"(lower(COALESCE(metadata ->> 'name'::text, metadata ->> 'display_name'::text)), 80) COLLATE "C","id") WHERE metadata ?| '{name,display_name}'::text[];