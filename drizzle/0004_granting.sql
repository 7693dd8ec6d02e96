ALTER TABLE "campaign_platforms" ADD COLUMN "grant_after" uuid;--> statement-breakpoint
ALTER TABLE "campaign_platforms" ADD COLUMN "granted" integer DEFAULT 0 NOT NULL;