CREATE TABLE "app_store_keys" (
	"app_id" uuid NOT NULL,
	"issuer_id" text NOT NULL,
	"key_id" text NOT NULL,
	"private_key" text NOT NULL,
	"trouble" text,
	"listed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "app_store_keys_pkey" PRIMARY KEY("app_id")
);
--> statement-breakpoint
CREATE TABLE "code_requests" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"pool_id" uuid NOT NULL,
	"origin" text NOT NULL,
	"offer_type" text NOT NULL,
	"offer_id" text NOT NULL,
	"offer_name" text NOT NULL,
	"amount" integer NOT NULL,
	"expires_on" date NOT NULL,
	"state" text DEFAULT 'asked' NOT NULL,
	"posted_at" timestamp with time zone,
	"known_ids" text[] DEFAULT '{}'::text[] NOT NULL,
	"store_id" text,
	"batch_id" uuid NOT NULL,
	"imported" integer,
	"trouble" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"lease" uuid,
	"leased_until" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "code_requests_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "refill_rules" (
	"app_id" uuid NOT NULL,
	"pool_id" uuid NOT NULL,
	"offer_type" text NOT NULL,
	"offer_id" text NOT NULL,
	"offer_name" text NOT NULL,
	"threshold" integer NOT NULL,
	"amount" integer NOT NULL,
	"quarter_cap" integer NOT NULL,
	"valid_days" integer NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"stopped" text,
	"stopped_because" text,
	"stopped_at" timestamp with time zone,
	"armed_at" timestamp with time zone DEFAULT now() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "refill_rules_pkey" PRIMARY KEY("app_id","pool_id")
);
--> statement-breakpoint
CREATE TABLE "store_offers" (
	"app_id" uuid NOT NULL,
	"type" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"product" text NOT NULL,
	"product_id" text NOT NULL,
	"active" boolean NOT NULL,
	CONSTRAINT "store_offers_pkey" PRIMARY KEY("app_id","type","id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "code_requests_store" ON "code_requests" USING btree ("app_id","store_id") WHERE store_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "code_requests_refill" ON "code_requests" USING btree ("app_id","pool_id") WHERE origin = 'refill' and state in ('asked', 'made', 'unclear');--> statement-breakpoint
CREATE INDEX "code_requests_due" ON "code_requests" USING btree ("app_id","due_at") WHERE state in ('asked', 'made');--> statement-breakpoint
CREATE INDEX "code_requests_pool" ON "code_requests" USING btree ("app_id","pool_id","created_at");