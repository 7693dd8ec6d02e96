import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The SQL functions, each beside the verb that calls it, in the order in which they use one another. */
export const FUNCTION_FILES = [
  "lib/db/new_id.sql",
  "lib/webhooks/tell_webhooks.sql",
  "lib/db/emit.sql",
  "lib/webhooks/take_webhook.sql",
  "lib/webhooks/wake_webhooks.sql",
  "lib/webhooks/finish_webhook.sql",
  "lib/webhooks/resend_webhook.sql",
  "lib/quota/take_quota.sql",
  "lib/quota/return_quota.sql",
  "lib/idempotency/stored_answer.sql",
  "lib/idempotency/store_answer.sql",
  "lib/api-keys/note_key_uses.sql",
  "lib/requests/store_requests.sql",
  "lib/codes/take_code.sql",
  "lib/codes/replace_code.sql",
  "lib/codes/import_codes.sql",
  "lib/referrals/redeem_metacode.sql",
  "lib/referrals/redeem_together.sql",
  "lib/referrers/get_referrer.sql",
  "lib/referrers/create_referrer.sql",
  "lib/rewards/claim_rewards.sql",
  "lib/confirmations/settle_referral.sql",
  "lib/confirmations/match_referral.sql",
  "lib/confirmations/judge_event.sql",
  "lib/confirmations/judge_waiting.sql",
  "lib/confirmations/receive_confirmation.sql",
  "lib/referrals/reverse_by_hand.sql",
  "lib/confirmations/replay_confirmation.sql",
  "lib/confirmations/due_events.sql",
  "lib/campaigns/grant_due.sql",
  "lib/landing/find_invitation.sql",
  "lib/clicks/visitor_salt.sql",
  "lib/clicks/store_clicks.sql",
  "lib/stats/counted_events.sql",
  "lib/stats/roll_up.sql",
  "lib/stats/figures.sql",
  "lib/campaigns/campaign_figures.sql",
];

/** The text of every function, read from the project folder. */
export function functionTexts(root = process.cwd()): string[] {
  return FUNCTION_FILES.map((file) => readFileSync(join(root, file), "utf8"));
}
