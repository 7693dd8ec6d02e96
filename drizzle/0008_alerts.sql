CREATE TABLE "alert_channels" (
	"app_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"name" text NOT NULL,
	"target" text NOT NULL,
	"kinds" text[] DEFAULT '{}'::text[] NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"stopped_because" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alert_channels_pkey" PRIMARY KEY("app_id","id")
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"app_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"title" text NOT NULL,
	"detail" text NOT NULL,
	"path" text NOT NULL,
	"told_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "alerts_pkey" PRIMARY KEY("app_id","kind","subject")
);
