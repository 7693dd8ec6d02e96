import Link from "next/link";
import { buttonClass } from "@/components/ui/button";
import { Filter, Filters, SearchBox } from "@/components/ui/filters";
import type { ReferrerFilters as Given } from "@/lib/contract/referrer-list";
import { STATUS_CHOICES } from "./words";

interface Props {
  path: string;
  filters: Given;
  /** The app's influencer campaigns. */
  campaigns: readonly { value: string; name: string }[];
}

/** Which referrers are wanted. */
export function ReferrerFilters({ path, filters, campaigns }: Props) {
  const { q, status, campaign } = filters;
  const choices = [{ value: "none", name: "Referral campaign" }, ...campaigns];
  return (
    <Filters>
      <SearchBox name="q" label="Search referrers" value={q} placeholder="Metacode, uid or name" />
      <Filter name="status" label="Status" value={status} choices={STATUS_CHOICES} all="Any status" />
      {campaigns.length > 0 && (
        <Filter name="campaign" label="Campaign" value={campaign} choices={choices} all="Any campaign" />
      )}
      {(q || status || campaign) && (
        <Link href={path} prefetch={false} className={buttonClass({ variant: "ghost", size: "sm" })}>
          Clear
        </Link>
      )}
    </Filters>
  );
}
