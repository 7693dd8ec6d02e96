ALTER TABLE "pools" ADD COLUMN "offers" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "pools" ADD COLUMN "one_per_offer" boolean DEFAULT false NOT NULL;