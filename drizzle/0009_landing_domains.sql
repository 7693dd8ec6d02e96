CREATE TABLE "landing_domains" (
	"domain" text COLLATE "C" PRIMARY KEY NOT NULL,
	"app_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "landing_domain" text;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "landing_domain_verified_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "apps" ADD COLUMN "landing_domain_lost_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "landing_domains_app" ON "landing_domains" USING btree ("app_id");