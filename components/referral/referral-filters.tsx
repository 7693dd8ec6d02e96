import { buttonClass } from "@/components/ui/button";
import { DayFields, Filter, Filters, SearchBox } from "@/components/ui/filters";
import { Link } from "@/components/ui/link";
import { statusChoices } from "@/components/ui/status-badge";
import { platformChoices } from "@/lib/contract/format";
import type { ReferralQuery } from "@/lib/contract/referral-list";
import { REFERRAL_PERIOD_CHOICES, REFERRAL_STATUS_LOOKS } from "./labels";

const STATUSES = statusChoices(REFERRAL_STATUS_LOOKS);
const PLATFORM_CHOICES = platformChoices();

interface Props {
  path: string;
  filters: ReferralQuery;
  campaigns: readonly { value: string; name: string }[];
}

/** The filters of the list of referrals. */
export function ReferralFilters({ path, filters, campaigns }: Props) {
  const { q, status, platform, campaign, period, from, to, referrer } = filters;
  const filtered = [q, status, platform, campaign, period, referrer].some(Boolean);
  return (
    <Filters>
      <SearchBox name="q" label="Search referrals" value={q} placeholder="Referee’s user ID or a metacode" />
      <Filter name="status" label="Status" value={status} choices={STATUSES} all="Any status" />
      <Filter
        name="platform"
        label="Platform"
        value={platform}
        choices={PLATFORM_CHOICES}
        all="Any platform"
      />
      <Filter name="campaign" label="Campaign" value={campaign} choices={campaigns} all="Any campaign" />
      <Filter name="period" label="Time" value={period} choices={REFERRAL_PERIOD_CHOICES} all="Any time" />
      {referrer && <input type="hidden" name="referrer" value={referrer} />}
      {period === "custom" && <DayFields from={from} to={to} />}
      {filtered && (
        <Link href={path} className={buttonClass({ variant: "ghost", size: "sm" })}>
          Clear
        </Link>
      )}
    </Filters>
  );
}
