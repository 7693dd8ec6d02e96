-- No user gets the text of a custom code twice, so each has an offer.
UPDATE batches SET offer = 'Custom code ' || right(id::text, 6) WHERE kind = 'custom' AND offer IS NULL;--> statement-breakpoint
INSERT INTO offer_takers (app_id, platform, offer, uid)
SELECT DISTINCT c.app_id, c.platform, b.offer, c.redeemed_by_uid
  FROM batches b JOIN codes c ON c.app_id = b.app_id AND c.batch_id = b.id
 WHERE b.kind = 'custom' AND b.offer IS NOT NULL AND c.redeemed_by_uid IS NOT NULL AND c.status IN ('assigned', 'confirmed')
ON CONFLICT DO NOTHING;
