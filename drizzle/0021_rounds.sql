CREATE TABLE "rounds" (
	"app_id" uuid NOT NULL,
	"name" text NOT NULL,
	"due_at" timestamp with time zone,
	"marked_at" timestamp with time zone,
	"started_at" timestamp with time zone,
	"lease" uuid,
	"leased_until" timestamp with time zone,
	"seen_at" timestamp with time zone,
	CONSTRAINT "rounds_pkey" PRIMARY KEY("app_id","name")
);
--> statement-breakpoint
DROP INDEX "quota_usage_warned";--> statement-breakpoint
DROP INDEX "code_requests_due";--> statement-breakpoint
CREATE INDEX "rounds_due" ON "rounds" USING btree ("due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "alerts_backlog" ON "alerts" USING btree ("app_id") WHERE kind = 'backlog';--> statement-breakpoint
CREATE INDEX "key_refusals_last" ON "key_refusals" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "apps_deleted" ON "apps" USING btree ("deleted_at") WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX "campaign_platforms_granting" ON "campaign_platforms" USING btree ("app_id") WHERE grant_after is not null;--> statement-breakpoint
CREATE INDEX "campaigns_ends" ON "campaigns" USING btree ("ends_at") WHERE status in ('active', 'paused') and ends_at is not null;--> statement-breakpoint
CREATE INDEX "batches_unfinished" ON "batches" USING btree ("app_id","id") WHERE state in ('importing', 'undone');--> statement-breakpoint
CREATE INDEX "provider_connections_refused" ON "provider_connections" USING btree ("refused_at") WHERE refused_at is not null;--> statement-breakpoint
CREATE INDEX "provider_events_open" ON "provider_events" USING btree ("verdict","created_at") WHERE verdict in ('failed', 'received', 'unmatched');--> statement-breakpoint
CREATE INDEX "refill_rules_stopped" ON "refill_rules" USING btree ("stopped_at") WHERE stopped_at is not null;--> statement-breakpoint
CREATE INDEX "outbox_created" ON "outbox" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_warned" ON "webhook_endpoints" USING btree ("warned_at") WHERE warned_at is not null;--> statement-breakpoint
CREATE INDEX "audit_log_created" ON "audit_log" USING btree ("created_at") WHERE app_id is not null;--> statement-breakpoint
CREATE INDEX "quota_usage_month" ON "quota_usage" USING btree ("month");--> statement-breakpoint
CREATE INDEX "code_requests_due" ON "code_requests" USING btree ("due_at") WHERE state in ('asked', 'made');