ALTER TABLE "campaigns" ADD COLUMN "hold_days" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "refuse_reciprocal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "code_budget" integer;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "reward_budget" integer;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "spent_codes" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "spent_rewards" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "recount_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "referrals" ADD COLUMN "counts_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "referrals" ADD COLUMN "held" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "referrer_progress" ADD COLUMN "held" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "referrals_held" ON "referrals" USING btree ("counts_from","app_id") WHERE held;--> statement-breakpoint
-- Every stored row satisfies these already, so no scan is needed.
ALTER TABLE referrer_progress ADD CHECK (held >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE campaigns
  ADD CHECK (hold_days >= 0) NOT VALID,
  ADD CHECK (code_budget > 0) NOT VALID,
  ADD CHECK (reward_budget > 0) NOT VALID,
  ADD CHECK (spent_codes >= 0 AND spent_rewards >= 0) NOT VALID;
