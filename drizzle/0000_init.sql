CREATE TABLE "api_key_uses" (
	"app_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"last_used_at" timestamp with time zone NOT NULL,
	CONSTRAINT "api_key_uses_pkey" PRIMARY KEY("app_id","key_id")
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"key_hash" bytea PRIMARY KEY NOT NULL,
	"id" uuid NOT NULL,
	"app_id" uuid NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"last_four" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "apps" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"name" text NOT NULL,
	"sandbox" boolean DEFAULT false NOT NULL,
	"apple_app_id" text,
	"android_package" text,
	"retry_window_hours" integer DEFAULT 24 NOT NULL,
	"referrer_daily_cap" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "batches" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"pool_id" uuid NOT NULL,
	"offer" text,
	"kind" text NOT NULL,
	"expires_at" timestamp with time zone,
	"state" text NOT NULL,
	"origin" text,
	"size" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "batches_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "campaign_platforms" (
	"app_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"threshold" integer NOT NULL,
	"referee_pool_id" uuid,
	"reward_pool_id" uuid,
	"instructions" text,
	"reward_cap" integer,
	CONSTRAINT "campaign_platforms_pkey" PRIMARY KEY("app_id","campaign_id","platform")
);
--> statement-breakpoint
CREATE TABLE "campaigns" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"starts_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	"activated_at" timestamp with time zone,
	"safety_margin_hours" integer DEFAULT 24 NOT NULL,
	"confirm_on" text DEFAULT 'start' NOT NULL,
	"confirm_any_renewal" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "campaigns_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "clicks" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"referrer_id" uuid NOT NULL,
	"visitor" bytea NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "clicks_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "codes" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"code" text COLLATE "C" NOT NULL,
	"use_number" integer DEFAULT 0 NOT NULL,
	"slot" integer NOT NULL,
	"status" text DEFAULT 'available' NOT NULL,
	"redeemed_by_uid" text COLLATE "C",
	"referrer_id" uuid,
	"assignment_id" uuid,
	"assigned_at" timestamp with time zone,
	CONSTRAINT "codes_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"app_id" uuid NOT NULL,
	"operation" text NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"request_hash" bytea NOT NULL,
	"result" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY("app_id","operation","key")
);
--> statement-breakpoint
CREATE TABLE "memberships" (
	"workspace_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "memberships_pkey" PRIMARY KEY("workspace_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "offer_takers" (
	"app_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"offer" text COLLATE "C" NOT NULL,
	"uid" text COLLATE "C" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "offer_takers_pkey" PRIMARY KEY("app_id","platform","offer","uid")
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "outbox_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "pools" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"platform" text NOT NULL,
	"use" text NOT NULL,
	"name" text NOT NULL,
	"low_stock" integer DEFAULT 50 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pools_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "provider_connections" (
	"id" uuid PRIMARY KEY NOT NULL,
	"app_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"secret" text NOT NULL,
	"signing_secret" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "provider_events" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"connection_id" uuid NOT NULL,
	"event_id" text COLLATE "C" NOT NULL,
	"type" text NOT NULL,
	"uids" text[] NOT NULL,
	"confirmation" jsonb NOT NULL,
	"verdict" text NOT NULL,
	"referral_id" uuid,
	"payload" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "provider_events_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "quota_usage" (
	"workspace_id" uuid NOT NULL,
	"month" date NOT NULL,
	"used" bigint NOT NULL,
	"alerted" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "quota_usage_pkey" PRIMARY KEY("workspace_id","month")
);
--> statement-breakpoint
CREATE TABLE "referrals" (
	"app_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"referee_uid" text COLLATE "C" NOT NULL,
	"id" uuid NOT NULL,
	"referrer_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"status" text DEFAULT 'code_assigned' NOT NULL,
	"clicked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"confirmed_at" timestamp with time zone,
	"reversed_at" timestamp with time zone,
	"confirmed_by" uuid,
	CONSTRAINT "referrals_pkey" PRIMARY KEY("app_id","campaign_id","referee_uid")
);
--> statement-breakpoint
CREATE TABLE "referrer_progress" (
	"app_id" uuid NOT NULL,
	"referrer_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"confirmed" integer DEFAULT 0 NOT NULL,
	"earned" integer DEFAULT 0 NOT NULL,
	"claimed" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "referrer_progress_pkey" PRIMARY KEY("app_id","referrer_id","campaign_id","platform")
);
--> statement-breakpoint
CREATE TABLE "referrers" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"uid" text COLLATE "C" NOT NULL,
	"slug" text COLLATE "C" NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"metadata" jsonb,
	"campaign_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "referrers_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "rewards" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"referrer_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"reward_number" integer NOT NULL,
	"status" text DEFAULT 'earned' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"claimed_at" timestamp with time zone,
	CONSTRAINT "rewards_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "slug_directory" (
	"slug" text COLLATE "C" PRIMARY KEY NOT NULL,
	"app_id" uuid NOT NULL,
	"referrer_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"name" text NOT NULL,
	"password_hash" text NOT NULL,
	"session_version" integer DEFAULT 1 NOT NULL,
	"email_verified_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_email" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "visitor_salts" (
	"day" date PRIMARY KEY NOT NULL,
	"salt" bytea NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"endpoint_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"event_type" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"response_status" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"delivered_at" timestamp with time zone,
	CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"secret" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "workspaces" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"plan" text NOT NULL,
	"quota_override" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "api_keys_app" ON "api_keys" USING btree ("app_id","id");--> statement-breakpoint
CREATE INDEX "apps_workspace" ON "apps" USING btree ("workspace_id");--> statement-breakpoint
CREATE INDEX "batches_ready" ON "batches" USING btree ("app_id","pool_id","expires_at") WHERE state = 'ready';--> statement-breakpoint
CREATE UNIQUE INDEX "campaigns_one_active_referral" ON "campaigns" USING btree ("app_id") WHERE type = 'referral' and status = 'active';--> statement-breakpoint
CREATE INDEX "campaigns_current" ON "campaigns" USING btree ("app_id","activated_at") WHERE type = 'referral' and activated_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "clicks_visitor" ON "clicks" USING btree ("app_id","referrer_id","visitor");--> statement-breakpoint
CREATE INDEX "clicks_created" ON "clicks" USING btree ("app_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "codes_code" ON "codes" USING btree ("app_id","platform","code","use_number");--> statement-breakpoint
CREATE UNIQUE INDEX "codes_assignment" ON "codes" USING btree ("app_id","assignment_id") WHERE assignment_id is not null;--> statement-breakpoint
CREATE INDEX "codes_free" ON "codes" USING btree ("app_id","batch_id","slot") WHERE status = 'available';--> statement-breakpoint
CREATE INDEX "idempotency_keys_created" ON "idempotency_keys" USING btree ("app_id","created_at");--> statement-breakpoint
CREATE INDEX "memberships_user" ON "memberships" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "pools_use" ON "pools" USING btree ("app_id","use","platform");--> statement-breakpoint
CREATE INDEX "provider_connections_app" ON "provider_connections" USING btree ("app_id");--> statement-breakpoint
CREATE UNIQUE INDEX "provider_events_event" ON "provider_events" USING btree ("app_id","connection_id","event_id");--> statement-breakpoint
CREATE INDEX "provider_events_verdict" ON "provider_events" USING btree ("app_id","verdict","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "referrals_id" ON "referrals" USING btree ("app_id","id");--> statement-breakpoint
CREATE INDEX "referrals_referee" ON "referrals" USING btree ("app_id","referee_uid","created_at");--> statement-breakpoint
CREATE INDEX "referrals_referrer" ON "referrals" USING btree ("app_id","referrer_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "referrers_uid" ON "referrers" USING btree ("app_id","uid");--> statement-breakpoint
CREATE UNIQUE INDEX "referrers_slug" ON "referrers" USING btree ("app_id","slug");--> statement-breakpoint
CREATE UNIQUE INDEX "rewards_number" ON "rewards" USING btree ("app_id","referrer_id","campaign_id","platform","reward_number");--> statement-breakpoint
CREATE INDEX "rewards_referrer" ON "rewards" USING btree ("app_id","referrer_id","status");--> statement-breakpoint
CREATE INDEX "slug_directory_created" ON "slug_directory" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_endpoint" ON "webhook_deliveries" USING btree ("app_id","endpoint_id","id");