import Link from "next/link";
import { Button, buttonClass } from "@/components/ui/button";
import { inputClass } from "@/components/ui/field";
import { Filter, Filters, SearchBox } from "@/components/ui/filters";
import type { ReferralFilters as Given } from "@/lib/contract/referral-list";
import { PERIOD_CHOICES, STATUS_CHOICES } from "./words";

const PLATFORMS = [
  { value: "ios", name: "iOS" },
  { value: "android", name: "Android" },
];

interface Props {
  path: string;
  filters: Given;
  campaigns: readonly { value: string; name: string }[];
}

/** Which referrals are wanted. */
export function ReferralFilters({ path, filters, campaigns }: Props) {
  const { q, status, platform, campaign, period, from, to, referrer } = filters;
  const filtered = [q, status, platform, campaign, period, referrer].some(Boolean);
  return (
    <Filters>
      <SearchBox name="q" label="Search referrals" value={q} placeholder="Referee's uid, or a metacode" />
      <Filter name="status" label="Status" value={status} choices={STATUS_CHOICES} all="Any status" />
      <Filter name="platform" label="Platform" value={platform} choices={PLATFORMS} all="Any platform" />
      <Filter name="campaign" label="Campaign" value={campaign} choices={campaigns} all="Any campaign" />
      <Filter name="period" label="Time" value={period} choices={PERIOD_CHOICES} all="Any time" />
      {referrer && <input type="hidden" name="referrer" value={referrer} />}
      {period === "custom" && <Days from={from} to={to} />}
      {filtered && (
        <Link href={path} prefetch={false} className={buttonClass({ variant: "ghost", size: "sm" })}>
          Clear
        </Link>
      )}
    </Filters>
  );
}

/** The first and the last day that are wanted, in UTC like the days of the figures. */
function Days({ from, to }: Pick<Given, "from" | "to">) {
  const look = `${inputClass} w-auto`;
  return (
    <>
      <input
        type="date"
        name="from"
        aria-label="First day, UTC"
        defaultValue={from}
        key={`from ${from}`}
        className={look}
      />
      <input
        type="date"
        name="to"
        aria-label="Last day, UTC"
        defaultValue={to}
        key={`to ${to}`}
        className={look}
      />
      <Button type="submit" variant="secondary" size="sm">
        Apply
      </Button>
    </>
  );
}
