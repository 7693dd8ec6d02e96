CREATE TABLE "alert_posts" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"channel_id" uuid NOT NULL,
	"title" text NOT NULL,
	"detail" text NOT NULL,
	"url" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_posts_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "parked_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "alert_posts_due" ON "alert_posts" USING btree ("due_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("wake_at") WHERE status in ('pending', 'failed');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_parked" ON "webhook_deliveries" USING btree ("app_id","endpoint_id","parked_at") WHERE parked_at is not null;
--> statement-breakpoint
-- Deliveries that waited for a job of the former queue are looked at within a minute.
UPDATE "webhook_deliveries" SET "wake_at" = now() + random() * interval '1 minute'
 WHERE "status" in ('pending', 'failed') AND ("wake_at" IS NULL OR "wake_at" <= now() OR "wake_at" = 'infinity');
--> statement-breakpoint
-- Alerts that waited as jobs of the former queue become rows. Its other tables stay as they are.
DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    EXECUTE $move$
      WITH moved AS (
        DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
         WHERE t.id = j.task_id AND t.identifier = 'send_alert' AND j.locked_at IS NULL AND j.attempts < j.max_attempts
        RETURNING j.payload, j.attempts)
      INSERT INTO alert_posts (app_id, id, channel_id, title, detail, url, attempts)
      SELECT (payload ->> 'appId')::uuid, gen_random_uuid(), (payload ->> 'channelId')::uuid,
             payload -> 'message' ->> 'title', payload -> 'message' ->> 'detail', payload -> 'message' ->> 'url', attempts
        FROM moved $move$;
  END IF;
END $$;
