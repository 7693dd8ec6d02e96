ALTER TABLE "apps" ADD COLUMN "reviews_beyond_caps" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "referees_in_line" ADD COLUMN "state" text DEFAULT 'waiting' NOT NULL;--> statement-breakpoint
ALTER TABLE "referees_in_line" ADD COLUMN "beyond" text;--> statement-breakpoint
ALTER TABLE "referees_in_line" ADD CHECK (state IN ('waiting', 'review', 'dismissed') AND (state = 'waiting' OR beyond IS NOT NULL)) NOT VALID;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "referees_in_line_review" ON "referees_in_line" USING btree ("app_id","state","place") WHERE state <> 'waiting';