ALTER TABLE "referees_in_line" DROP CONSTRAINT IF EXISTS "referees_in_line_check1";--> statement-breakpoint
ALTER TABLE "referees_in_line" ADD CONSTRAINT "referees_in_line_state_check" CHECK (state IN ('waiting', 'review', 'dismissed', 'approved') AND (state = 'waiting' OR beyond IS NOT NULL)) NOT VALID;
