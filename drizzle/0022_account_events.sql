CREATE TABLE "account_events" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"action" text NOT NULL,
	"detail" text,
	"address" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account_tokens" ADD COLUMN "slot" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "account_events_user" ON "account_events" USING btree ("user_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "account_tokens_slot" ON "account_tokens" USING btree ("email","purpose","slot");