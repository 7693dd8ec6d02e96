ALTER TABLE "code_replacements" DROP CONSTRAINT "code_replacements_pkey";
--> statement-breakpoint
ALTER TABLE "code_replacements" ADD CONSTRAINT "code_replacements_pkey" PRIMARY KEY("app_id","assignment_id","old_code_id");