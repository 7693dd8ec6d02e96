DROP INDEX "webhook_deliveries_wake";--> statement-breakpoint
DROP INDEX "webhook_deliveries_due";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("wake_at") WHERE wake_at is not null;