import { StatusBadge, type StatusLooks } from "@/components/ui/status-badge";
import { Tabs } from "@/components/ui/tabs";
import type { EventVerdict } from "@/lib/contract/provider";
import type { ReferralStatus } from "@/lib/contract/referral-list";

export const REFERRAL_STATUS_LOOKS: StatusLooks<ReferralStatus> = {
  clicked: { label: "Clicked", tone: "neutral" },
  code_assigned: { label: "Code assigned", tone: "accent" },
  redeemed: { label: "Confirmed", tone: "good" },
  reversed: { label: "Reversed", tone: "bad" },
};

/** The tabs of the Referrals page: the referrals, and the redemptions beyond a limit. */
export function ReferralTabs({ path }: { path: string }) {
  return (
    <Tabs
      label="Referrals"
      tabs={[
        { href: path, name: "Referrals" },
        { href: `${path}/review`, name: "For review" },
      ]}
    />
  );
}

/** The status of a referral. */
export function ReferralBadge({ status }: { status: ReferralStatus }) {
  return <StatusBadge status={status} looks={REFERRAL_STATUS_LOOKS} />;
}

export const REFERRAL_PERIOD_CHOICES = [
  { value: "1d", name: "Last 24 hours" },
  { value: "7d", name: "Last 7 days" },
  { value: "30d", name: "Last 30 days" },
  { value: "90d", name: "Last 90 days" },
  { value: "custom", name: "Custom range" },
];

/** The effect of an event on its referral, after the name of the event. */
export const EVENT_EFFECT_LABEL: Record<EventVerdict, string> = {
  confirmed: "confirmed the referral",
  reversed: "reversed the referral",
  restored: "restored the referral",
  already_confirmed: "belongs to a referral that was already confirmed",
  unmatched: "matched no referral",
  dismissed: "was dismissed",
  not_paid: "did not confirm: the campaign required a payment",
  renewal: "did not confirm: a renewal may be older than the code",
  sandbox: "did not count: a test purchase in a live app",
  ignored: "does not affect referrals",
  failed: "could not be processed yet",
  unreadable: "could not be read",
  received: "is being processed",
};
