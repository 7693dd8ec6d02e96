CREATE TABLE "key_refusals" (
	"app_id" uuid NOT NULL,
	"key_id" uuid NOT NULL,
	"limit_name" text NOT NULL,
	"refused" bigint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"last_at" timestamp with time zone NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "key_refusals_pkey" PRIMARY KEY("app_id","key_id","limit_name")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "daily_budget" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "address_cap" integer;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "limits_lifted_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "key_usage_days" ADD COLUMN "budget_taken" bigint;
--> statement-breakpoint
-- Keys of the kind "Phone app" get the cap that new ones start with.
UPDATE "api_keys" SET "address_cap" = 20
 WHERE "prefix" LIKE 'mc_live_%' AND cardinality("scopes") = 3
   AND "scopes" @> array['referrer:read', 'referrer:write', 'referee:redeem'];
