import type { Tone } from "@/components/ui/badge";
import type { EventVerdict } from "@/lib/contract/provider";
import type { ReferralStatus } from "@/lib/contract/referral-list";

export const STATUS_NAME: Record<ReferralStatus, string> = {
  clicked: "Clicked",
  code_assigned: "Code given",
  redeemed: "Confirmed",
  reversed: "Reversed",
};

export const STATUS_TONE: Record<ReferralStatus, Tone> = {
  clicked: "neutral",
  code_assigned: "accent",
  redeemed: "good",
  reversed: "bad",
};

export const STATUS_CHOICES = Object.entries(STATUS_NAME).map(([value, name]) => ({ value, name }));

export const PERIOD_CHOICES = [
  { value: "1d", name: "Last 24 hours" },
  { value: "7d", name: "Last 7 days" },
  { value: "30d", name: "Last 30 days" },
  { value: "90d", name: "Last 90 days" },
  { value: "custom", name: "Between two days" },
];

/** What an event did to the referral on whose page it stands. */
export const VERDICT_NAME: Record<EventVerdict, string> = {
  confirmed: "confirmed the referral",
  reversed: "reversed the referral",
  restored: "restored the referral",
  already_confirmed: "came for a referral that was confirmed already",
  unmatched: "was matched to nobody",
  dismissed: "was dismissed",
  not_paid: "did not confirm: the campaign waits for a payment",
  renewal: "did not confirm: a renewal may be older than the code",
  sandbox: "did not count: a test purchase in a live app",
  ignored: "means nothing for referrals",
  failed: "could not be judged yet",
  unreadable: "could not be read",
  received: "is about to be judged",
};

/** What somebody of the team did, by the action's name in the audit log. */
const ACTION_NAME: Record<string, string> = {
  "code.replaced": "replaced the code",
  "code.revealed": "copied the whole code",
  "referral.reversed": "reversed the referral",
  "referral.restored": "took the reversal back",
  "referrer.paused": "paused the referrer",
  "referrer.resumed": "resumed the referrer",
  "referrer.ended": "ended the referrer",
  "referrer.metacode_changed": "changed the metacode",
  "referrer.noted": "changed the notes",
  "referrer.described": "changed the description",
  "influencer.created": "made the influencer",
  "reward.granted": "gave a reward by hand",
  "reward.handed_out": "handed out rewards",
};

/** An action of the audit log in words; one that has none here by its own name. */
export const actionName = (action: string): string => ACTION_NAME[action] ?? action.replace(/[._]/g, " ");
