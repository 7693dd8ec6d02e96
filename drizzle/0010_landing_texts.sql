CREATE TABLE "landing_texts" (
	"app_id" uuid NOT NULL,
	"language" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"text" text NOT NULL,
	CONSTRAINT "landing_texts_pkey" PRIMARY KEY("app_id","language","key")
);
