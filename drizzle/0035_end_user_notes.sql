CREATE TABLE "end_user_notes" (
	"app_id" uuid NOT NULL,
	"uid" text COLLATE "C" NOT NULL,
	"notes" text NOT NULL,
	CONSTRAINT "end_user_notes_pkey" PRIMARY KEY("app_id","uid")
);
