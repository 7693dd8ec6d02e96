CREATE TABLE "referees_in_line" (
	"app_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"referee_uid" text COLLATE "C" NOT NULL,
	"platform" text NOT NULL,
	"referrer_id" uuid NOT NULL,
	"place" uuid NOT NULL,
	"code_id" uuid,
	"reserved_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "referees_in_line_pkey" PRIMARY KEY("app_id","campaign_id","referee_uid")
);
--> statement-breakpoint
ALTER TABLE "campaign_platforms" ADD COLUMN "has_line" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "referees_in_line_place" ON "referees_in_line" USING btree ("app_id","campaign_id","platform","place") WHERE code_id is null;--> statement-breakpoint
CREATE UNIQUE INDEX "referees_in_line_code" ON "referees_in_line" USING btree ("app_id","code_id") WHERE code_id is not null;--> statement-breakpoint
CREATE INDEX "referees_in_line_referrer" ON "referees_in_line" USING btree ("app_id","referrer_id");--> statement-breakpoint
CREATE INDEX "referees_in_line_referee" ON "referees_in_line" USING btree ("app_id","referee_uid");--> statement-breakpoint
CREATE INDEX "referees_in_line_until" ON "referees_in_line" USING btree ("reserved_until") WHERE reserved_until is not null;--> statement-breakpoint
CREATE INDEX "referees_in_line_created" ON "referees_in_line" USING btree ("created_at");--> statement-breakpoint
-- A reserved code has no assignment either. Every stored row satisfies this already, so no scan is needed.
ALTER TABLE codes DROP CONSTRAINT codes_check;--> statement-breakpoint
ALTER TABLE codes ADD CONSTRAINT codes_check
  CHECK (status = 'void' OR (status IN ('available', 'reserved')) = (assignment_id IS NULL)) NOT VALID;--> statement-breakpoint
ALTER TABLE referees_in_line ADD CHECK ((code_id IS NULL) = (reserved_until IS NULL));
