import { selectColumn } from "@/components/bulk/row-check";
import { buttonClass } from "@/components/ui/button";
import { Filter, Filters, SearchBox } from "@/components/ui/filters";
import { Link } from "@/components/ui/link";
import { statusChoices } from "@/components/ui/status-badge";
import { type Column, type Sorting, Table } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import { formatNumber, formatRewards } from "@/lib/contract/format";
import { shownUid } from "@/lib/contract/influencer";
import type { ReferrerQuery, ReferrerRow } from "@/lib/contract/referrer-list";
import { REFERRER_STATUS_LOOKS, ReferrerBadge } from "./labels";

const COLUMNS: Column<ReferrerRow>[] = [
  {
    header: "Referrer",
    cell: ({ name, uid }) => (
      <span className="grid max-w-60 min-w-0">
        <span className="truncate">{name ?? shownUid(uid) ?? "—"}</span>
        {name && <span className="truncate font-mono text-xs font-normal text-muted">{shownUid(uid)}</span>}
      </span>
    ),
  },
  {
    header: "Metacode",
    cell: ({ metacode, former }) => (
      <span className="grid">
        <code className="font-mono text-note">{metacode}</code>
        {former && <span className="text-xs text-muted">formerly {former}</span>}
      </span>
    ),
  },
  { header: "Status", wide: true, cell: ({ status }) => <ReferrerBadge status={status} /> },
  {
    header: "Campaign",
    wide: true,
    cell: ({ campaign }) => (
      <span className="block max-w-44 truncate text-muted">{campaign ?? "Referral campaign"}</span>
    ),
  },
  { header: "Confirmed", sort: "confirmed", numeric: true, cell: ({ confirmed }) => formatNumber(confirmed) },
  {
    header: "Rewards",
    numeric: true,
    wide: true,
    cell: formatRewards,
  },
  {
    header: "Since",
    sort: "",
    wide: true,
    cell: ({ createdAt }) => (
      <span className="whitespace-nowrap text-muted">
        <RelativeTime at={createdAt} />
      </span>
    ),
  },
];

const select = selectColumn<ReferrerRow>(({ name, uid }) => name ?? uid);

/** A list of referrers, each with a link to its page. */
export function ReferrerTable({
  base,
  rows,
  sorting,
  selectable,
}: {
  base: string;
  rows: readonly ReferrerRow[];
  sorting: Sorting | undefined;
  /** Whether each row has a checkbox for the bar above. */
  selectable: boolean;
}) {
  return (
    <Table
      label="Referrers"
      columns={selectable ? [...COLUMNS, select] : COLUMNS}
      rows={rows}
      rowKey={({ id }) => id}
      href={({ id }) => `${base}/referrers/${id}`}
      {...(sorting && { sorting })}
    />
  );
}

const STATUSES = statusChoices(REFERRER_STATUS_LOOKS);

interface FilterProps {
  path: string;
  filters: ReferrerQuery;
  /** The app's influencer campaigns. */
  campaigns: readonly { value: string; name: string }[];
}

/** The note that a list sorted by confirmed referrals omits rows. A search and an influencer campaign's list omit none. */
export const omissionOf = ({ q, sort, campaign = "none" }: ReferrerQuery): string | undefined =>
  sort && !q && campaign === "none"
    ? "Only referrers with a confirmed referral are listed in this order."
    : undefined;

/** The filters of the list of referrers. */
export function ReferrerFilters({ path, filters, campaigns }: FilterProps) {
  const { q, status, campaign, sort } = filters;
  const choices = [{ value: "none", name: "Referral campaign" }, ...campaigns];
  return (
    <Filters>
      <SearchBox name="q" label="Search referrers" value={q} placeholder="Metacode, user ID or name" />
      <Filter name="status" label="Status" value={status} choices={STATUSES} all="Any status" />
      {campaigns.length > 0 && (
        <Filter name="campaign" label="Campaign" value={campaign} choices={choices} all="Any campaign" />
      )}
      {sort && <input type="hidden" name="sort" value={sort} />}
      {(q || status || campaign) && (
        <Link href={path} className={buttonClass({ variant: "ghost", size: "sm" })}>
          Clear
        </Link>
      )}
    </Filters>
  );
}
