-- Accounts made before addresses were verified were all made by the operator; from here on an account that is not
-- verified is a sign-up nobody has confirmed, and cannot sign in.
UPDATE "users" SET "email_verified_at" = "created_at" WHERE "email_verified_at" IS NULL;
