-- Empty for referrals of earlier versions, whose event names the purchase until it is deleted.
ALTER TABLE "referrals" ADD COLUMN "confirmed_purchase" text COLLATE "C";
