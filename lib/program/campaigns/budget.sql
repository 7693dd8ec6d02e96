-- The budgets of a campaign: the most codes assigned to referees and the most rewards claimed. A code counts once it is set
-- aside or assigned, until it returns to its pool unseen; one that a response has shown still counts after a release. The
-- campaign's row is locked before any code, so that no transaction that holds a code waits for it.

-- Locks the campaigns of an app that have a budget for codes, in one order.
create or replace function lock_budgets(p_app uuid) returns void language plpgsql as $$
begin
  perform 1 from campaigns where app_id = p_app and code_budget is not null order by id for update;
end $$;

-- Counts what a campaign has spent, now and again after p_again seconds (null: only now).
create or replace function count_budget(p_app uuid, p_campaign uuid, p_again int) returns void
language plpgsql as $$
begin
  -- Locked first, so that the counts see every redeem and claim that was counted before.
  perform 1 from campaigns where app_id = p_app and id = p_campaign for update;
  update campaigns
     set spent_codes = (
           -- Only referrals with a code: the redeem that counts has already stored its referral.
           select count(*) from referrals r join codes c on c.app_id = p_app and c.assignment_id = r.id
            where r.app_id = p_app and r.campaign_id = p_campaign) + (
           select count(*) from referees_in_line
            where app_id = p_app and campaign_id = p_campaign and code_id is not null) + (
           select count(*) from undone_steps
            where app_id = p_app and campaign_id = p_campaign and step = 'code_assigned'),
         spent_rewards = (
           select coalesce(sum(claimed), 0) from referrer_progress where app_id = p_app and campaign_id = p_campaign),
         recount_at = now() + make_interval(secs => p_again)
   where app_id = p_app and id = p_campaign;
end $$;

-- Whether the budget of a campaign for a use (`referee`, `reward`) has room for one more; true without a budget. Locks the
-- campaign until the end of the transaction.
create or replace function has_budget(p_app uuid, p_campaign uuid, p_use text) returns boolean language plpgsql as $$
declare
  v_row campaigns;
begin
  select * into v_row from campaigns where app_id = p_app and id = p_campaign for update;
  if v_row.recount_at <= now() then
    perform count_budget(p_app, p_campaign, null);
    select * into v_row from campaigns where app_id = p_app and id = p_campaign;
  end if;
  return coalesce(case p_use
    when 'referee' then v_row.spent_codes < v_row.code_budget
    else v_row.spent_rewards < v_row.reward_budget end, true);
end $$;

-- Adds a code or a reward to what a campaign has spent (p_step 1), or subtracts it (-1). Does nothing without a budget.
create or replace function spend_budget(p_app uuid, p_campaign uuid, p_use text, p_step int) returns void
language plpgsql as $$
begin
  if p_use = 'referee' then
    update campaigns set spent_codes = greatest(spent_codes + p_step, 0)
     where app_id = p_app and id = p_campaign and code_budget is not null;
  else
    update campaigns set spent_rewards = greatest(spent_rewards + p_step, 0)
     where app_id = p_app and id = p_campaign and reward_budget is not null;
  end if;
end $$;

-- Counts codes of a campaign in one statement, because redeems of the campaign wait for its row until the transaction ends;
-- false if the budget has no room for all of them, or has to be counted first.
create or replace function spend_codes(p_app uuid, p_campaign uuid, p_codes int) returns boolean language plpgsql as $$
begin
  update campaigns set spent_codes = spent_codes + p_codes
   where app_id = p_app and id = p_campaign and spent_codes + p_codes <= code_budget and recount_at is null;
  return found;
end $$;

-- Counts one more code of a campaign; false if its budget has no room.
create or replace function spend_code(p_app uuid, p_campaign uuid) returns boolean language plpgsql as $$
begin
  if spend_codes(p_app, p_campaign, 1) then
    return true;
  end if;
  if not has_budget(p_app, p_campaign, 'referee') then
    return false;
  end if;
  perform spend_budget(p_app, p_campaign, 'referee', 1);
  return true;
end $$;
