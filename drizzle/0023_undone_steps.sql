CREATE TABLE "connection_refusals" (
	"app_id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	"deliveries" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	CONSTRAINT "connection_refusals_pkey" PRIMARY KEY("app_id","connection_id","hour")
);
--> statement-breakpoint
CREATE TABLE "undone_steps" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"referral_id" uuid NOT NULL,
	"step" text NOT NULL,
	"campaign_id" uuid NOT NULL,
	"referrer_id" uuid NOT NULL,
	"referee_uid" text COLLATE "C" NOT NULL,
	"platform" text NOT NULL,
	"code_id" uuid,
	"clicked_at" timestamp with time zone,
	"happened_at" timestamp with time zone NOT NULL,
	"reversed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "undone_steps_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "request_subjects" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"uid" text COLLATE "C" NOT NULL,
	"metacode" text COLLATE "C",
	"platform" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "request_subjects_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
ALTER TABLE "referrer_progress" ADD COLUMN "goodwill" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "undone_steps_referral" ON "undone_steps" USING btree ("app_id","referral_id");--> statement-breakpoint
CREATE INDEX "undone_steps_referee" ON "undone_steps" USING btree ("app_id","referee_uid");--> statement-breakpoint
CREATE INDEX "request_subjects_uid" ON "request_subjects" USING btree ("app_id","uid","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "provider_events_uids" ON "provider_events" USING gin ("uids");--> statement-breakpoint
ALTER TABLE "memberships" DROP CONSTRAINT "memberships_role_check";--> statement-breakpoint
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_role_check" CHECK (role IN ('owner', 'admin', 'member', 'support', 'viewer'));
