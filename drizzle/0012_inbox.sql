CREATE TABLE "identity_links" (
	"app_id" uuid NOT NULL,
	"from_uid" text COLLATE "C" NOT NULL,
	"to_uid" text COLLATE "C" NOT NULL,
	"type" text NOT NULL,
	"event_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identity_links_pkey" PRIMARY KEY("app_id","from_uid","to_uid")
);
--> statement-breakpoint
CREATE TABLE "waiting_uids" (
	"app_id" uuid NOT NULL,
	"uid" text COLLATE "C" NOT NULL,
	"id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "waiting_uids_pkey" PRIMARY KEY("app_id","uid","id")
);
--> statement-breakpoint
ALTER TABLE "provider_events" ALTER COLUMN "verdict" SET DEFAULT 'received';--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "matched_by" jsonb;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "occurred_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "purchase_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "links" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "headers" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "failure" text;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "tries" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "provider_events" ADD COLUMN "judged_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "referrals" ADD COLUMN "purchased_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "referrals" ADD COLUMN "turned_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "identity_links_to" ON "identity_links" USING btree ("app_id","to_uid");--> statement-breakpoint
CREATE INDEX "waiting_uids_event" ON "waiting_uids" USING btree ("app_id","id");--> statement-breakpoint
CREATE INDEX "provider_events_purchase" ON "provider_events" USING btree ("app_id","purchase_id") WHERE purchase_id is not null;--> statement-breakpoint
-- What waits already can be found by its ids from now on.
INSERT INTO "waiting_uids" ("app_id", "uid", "id", "created_at")
SELECT DISTINCT "app_id", unnest("uids"), "id", "created_at" FROM "provider_events" WHERE "verdict" = 'unmatched' ON CONFLICT DO NOTHING;
