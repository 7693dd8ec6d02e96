-- No user gets the text of a custom code twice, so each has an offer.
UPDATE batches SET offer = 'Custom code ' || right(id::text, 6) WHERE kind = 'custom' AND offer IS NULL;--> statement-breakpoint
-- By the text of a free code, because no index leads from a batch to its assigned ones. A batch without a free code assigns none.
INSERT INTO offer_takers (app_id, platform, offer, uid)
SELECT DISTINCT c.app_id, c.platform, b.offer, c.redeemed_by_uid
  FROM batches b
 CROSS JOIN LATERAL (
   SELECT f.platform, f.code FROM codes f
    WHERE f.app_id = b.app_id AND f.batch_id = b.id AND f.status = 'available' ORDER BY f.slot LIMIT 1) t
  JOIN codes c ON c.app_id = b.app_id AND c.platform = t.platform AND c.code = t.code
 WHERE b.kind = 'custom' AND b.offer IS NOT NULL AND c.redeemed_by_uid IS NOT NULL AND c.status IN ('assigned', 'confirmed')
ON CONFLICT DO NOTHING;
