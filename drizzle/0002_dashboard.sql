CREATE TABLE "account_tokens" (
	"token_hash" bytea PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"purpose" text NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "app_icons" (
	"app_id" uuid PRIMARY KEY NOT NULL,
	"type" text NOT NULL,
	"hash" text NOT NULL,
	"bytes" bytea NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"app_id" uuid,
	"actor_kind" text NOT NULL,
	"actor_id" uuid,
	"actor_name" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"subject_id" text NOT NULL,
	"subject_name" text,
	"before" jsonb,
	"after" jsonb,
	"address" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "audit_log_pkey" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "batch_counts" (
	"app_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"given" integer DEFAULT 0 NOT NULL,
	"confirmed" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "batch_counts_pkey" PRIMARY KEY("app_id","batch_id")
);
--> statement-breakpoint
CREATE TABLE "code_replacements" (
	"app_id" uuid NOT NULL,
	"assignment_id" uuid NOT NULL,
	"old_code_id" uuid NOT NULL,
	"new_code_id" uuid NOT NULL,
	"reason" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "code_replacements_pkey" PRIMARY KEY("app_id","assignment_id")
);
--> statement-breakpoint
CREATE TABLE "daily_stats" (
	"app_id" uuid NOT NULL,
	"day" date NOT NULL,
	"campaign_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"clicked" bigint DEFAULT 0 NOT NULL,
	"assigned" bigint DEFAULT 0 NOT NULL,
	"confirmed" bigint DEFAULT 0 NOT NULL,
	"reversed" bigint DEFAULT 0 NOT NULL,
	"earned" bigint DEFAULT 0 NOT NULL,
	"claimed" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "daily_stats_pkey" PRIMARY KEY("app_id","day","campaign_id","platform")
);
--> statement-breakpoint
CREATE TABLE "erased_people" (
	"app_id" uuid NOT NULL,
	"uid_hash" bytea NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "erased_people_pkey" PRIMARY KEY("app_id","uid_hash")
);
--> statement-breakpoint
CREATE TABLE "invitations" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"token_hash" bytea NOT NULL,
	"email" text COLLATE "C",
	"role" text NOT NULL,
	"invited_by" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"accepted_at" timestamp with time zone,
	"accepted_by" uuid,
	"withdrawn_at" timestamp with time zone,
	CONSTRAINT "invitations_pkey" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "key_usage_days" (
	"app_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"day" date NOT NULL,
	"requests" bigint NOT NULL,
	"refused" bigint NOT NULL,
	"failed" bigint NOT NULL,
	CONSTRAINT "key_usage_days_pkey" PRIMARY KEY("app_id","key_id","day")
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY NOT NULL,
	"recipient" text NOT NULL,
	"subject" text NOT NULL,
	"text" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"failed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"user_id" uuid NOT NULL,
	"code_hash" bytea NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "recovery_codes_pkey" PRIMARY KEY("user_id","code_hash")
);
--> statement-breakpoint
CREATE TABLE "request_log" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"error_code" text,
	"message" text,
	"micros" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "request_log_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "rollup_cursors" (
	"app_id" uuid PRIMARY KEY NOT NULL,
	"last_id" uuid NOT NULL,
	"rolled_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user_identities" (
	"provider" text NOT NULL,
	"provider_account_id" text NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_identities_pkey" PRIMARY KEY("provider","provider_account_id")
);
--> statement-breakpoint
ALTER TABLE "users" ALTER COLUMN "password_hash" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "twin_id" uuid;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "accent_color" text;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "icon_hash" text;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "apple_team_id" text;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "ios_bundle_id" text;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "android_fingerprints" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "request_log_days" integer DEFAULT 7 NOT NULL;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "payload_days" integer DEFAULT 90 NOT NULL;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "has_erased" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "deleted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "pools" ADD COLUMN "alert_to" text[] DEFAULT '{}'::text[] NOT NULL;--> statement-breakpoint
ALTER TABLE "pools" ADD COLUMN "low_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "referrers" ADD COLUMN "notes" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "totp_secret" bytea;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "totp_enabled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "totp_last_step" bigint;--> statement-breakpoint
CREATE INDEX "account_tokens_user" ON "account_tokens" USING btree ("user_id","purpose");--> statement-breakpoint
CREATE UNIQUE INDEX "code_replacements_new" ON "code_replacements" USING btree ("app_id","new_code_id");--> statement-breakpoint
CREATE UNIQUE INDEX "invitations_token" ON "invitations" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "mails_due" ON "mails" USING btree ("due_at") WHERE sent_at is null and failed_at is null;--> statement-breakpoint
CREATE INDEX "user_identities_user" ON "user_identities" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "provider_events_referral" ON "provider_events" USING btree ("app_id","referral_id") WHERE referral_id is not null;--> statement-breakpoint
CREATE INDEX "referrers_name" ON "referrers" USING btree ("app_id",lower(metadata ->> 'name'::text) COLLATE "C") WHERE metadata ? 'name';--> statement-breakpoint
CREATE INDEX "referrers_inactive" ON "referrers" USING btree ("app_id","id") WHERE status <> 'active';--> statement-breakpoint
CREATE INDEX "referrers_campaign" ON "referrers" USING btree ("app_id","campaign_id","id") WHERE campaign_id is not null;