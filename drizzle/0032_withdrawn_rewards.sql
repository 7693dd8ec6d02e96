ALTER TABLE "referrer_progress" ADD COLUMN "withdrawn" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "rewards" ADD COLUMN "withdrawn_with" uuid;--> statement-breakpoint
-- Every stored row satisfies these already, so no scan is needed.
ALTER TABLE "referrer_progress" ADD CHECK (withdrawn >= 0 AND claimed + withdrawn <= earned) NOT VALID;--> statement-breakpoint
ALTER TABLE "rewards" DROP CONSTRAINT "rewards_status_check";--> statement-breakpoint
ALTER TABLE "rewards" ADD CONSTRAINT "rewards_status_check" CHECK (status IN ('earned', 'claimed', 'withdrawn')) NOT VALID;