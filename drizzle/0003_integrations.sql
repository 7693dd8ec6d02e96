ALTER TABLE "key_usage_days" ADD COLUMN "unlisted" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_connections" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "provider_connections" ADD COLUMN "former_secret" text;--> statement-breakpoint
ALTER TABLE "provider_connections" ADD COLUMN "former_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "provider_connections" ADD COLUMN "refused_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "description" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "former_secret" text;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD COLUMN "former_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "provider_events_connection" ON "provider_events" USING btree ("app_id","connection_id","id");