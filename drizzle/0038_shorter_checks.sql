-- PostgreSQL reads every CHECK of a table again for each statement that writes there, and a list of texts takes the longest. Lists
-- of allowed values are left to the functions and verbs that write; the numbers of a row share one rule, which every stored row
-- satisfies already, so no scan is needed.
ALTER TABLE referrers DROP CONSTRAINT IF EXISTS referrers_status_check;--> statement-breakpoint
ALTER TABLE rewards
  DROP CONSTRAINT IF EXISTS rewards_status_check,
  DROP CONSTRAINT IF EXISTS rewards_platform_check,
  DROP CONSTRAINT IF EXISTS rewards_reward_number_check;--> statement-breakpoint
ALTER TABLE referrer_progress
  DROP CONSTRAINT IF EXISTS referrer_progress_check,
  DROP CONSTRAINT IF EXISTS referrer_progress_check1,
  DROP CONSTRAINT IF EXISTS referrer_progress_confirmed_check,
  DROP CONSTRAINT IF EXISTS referrer_progress_held_check,
  DROP CONSTRAINT IF EXISTS referrer_progress_platform_check;--> statement-breakpoint
ALTER TABLE referrer_progress
  ADD CONSTRAINT referrer_progress_counts CHECK (
    least(confirmed, held, claimed, withdrawn, earned - claimed - withdrawn) >= 0) NOT VALID;--> statement-breakpoint
ALTER TABLE campaigns
  DROP CONSTRAINT IF EXISTS campaigns_status_check,
  DROP CONSTRAINT IF EXISTS campaigns_type_check,
  DROP CONSTRAINT IF EXISTS campaigns_confirm_on_check,
  DROP CONSTRAINT IF EXISTS campaigns_hold_days_check,
  DROP CONSTRAINT IF EXISTS campaigns_code_budget_check,
  DROP CONSTRAINT IF EXISTS campaigns_reward_budget_check,
  DROP CONSTRAINT IF EXISTS campaigns_check2;--> statement-breakpoint
ALTER TABLE campaigns
  ADD CONSTRAINT campaigns_counts CHECK (
    least(hold_days, spent_codes, spent_rewards, code_budget - 1, reward_budget - 1) >= 0) NOT VALID;
