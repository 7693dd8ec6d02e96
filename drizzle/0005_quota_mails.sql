ALTER TABLE "quota_usage" ADD COLUMN "mailed" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "quota_usage_warned" ON "quota_usage" USING btree ("month") WHERE alerted > mailed;