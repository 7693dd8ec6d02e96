import { selectColumn } from "@/components/bulk/row-check";
import { type Column, Table } from "@/components/ui/table";
import { LocalTime, RelativeTime } from "@/components/ui/time";
import { PLATFORM_NAME } from "@/lib/contract/format";
import { ERASED_UID, shownUid } from "@/lib/contract/influencer";
import {
  BEYOND_LABELS,
  type ReferralRow,
  type ReferrerLabel,
  type ReviewRow,
} from "@/lib/contract/referral-list";
import { ReferralBadge } from "./labels";

// On a phone in up to three lines, because IDs often differ only at their end.
const RefereeUid = ({ uid }: { uid: string }) => (
  <span className="block max-w-52 truncate font-mono text-note max-sm:line-clamp-3 max-sm:max-w-40 max-sm:whitespace-normal max-sm:wrap-anywhere">
    {shownUid(uid) ?? ERASED_UID}
  </span>
);

interface Invited {
  referrer: ReferrerLabel | null;
  campaign: string | null;
}

/** The referrer above the campaign; in two columns, long names would push the checkbox out of sight. */
const Inviter = ({ referrer, campaign }: Invited) => (
  <span className="grid max-w-52">
    <span className="truncate">{referrer ? (referrer.name ?? referrer.metacode) : "Erased"}</span>
    <span className="truncate text-xs text-muted">{campaign}</span>
  </span>
);

const referee: Column<ReferralRow> = {
  header: "Referee",
  cell: ({ refereeUid }) =>
    refereeUid ? <RefereeUid uid={refereeUid} /> : <span className="text-muted">Not known yet</span>,
};

const inviter: Column<Invited> = { header: "Referrer and campaign", wide: true, cell: Inviter };

const campaign: Column<{ campaign: string | null }> = {
  header: "Campaign",
  wide: true,
  cell: ({ campaign }) => <span className="block max-w-44 truncate">{campaign}</span>,
};

const since = (header: string): Column<{ createdAt: Date }> => ({
  header,
  wide: true,
  cell: ({ createdAt }) => (
    <span className="whitespace-nowrap text-muted">
      <RelativeTime at={createdAt} />
    </span>
  ),
});

const others: Column<ReferralRow>[] = [
  {
    header: "Status",
    cell: ({ status, heldUntil }) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <ReferralBadge status={status} />
        {heldUntil && (
          <span className="text-note text-muted">
            Counts from <LocalTime at={heldUntil} shape="day" />
          </span>
        )}
      </span>
    ),
  },
  { header: "Platform", wide: true, cell: ({ platform }) => (platform ? PLATFORM_NAME[platform] : "") },
  {
    header: "Code",
    wide: true,
    cell: ({ code }) => <span className="font-mono text-note text-muted">{code}</span>,
  },
  since("Started"),
];

const select = selectColumn<ReferralRow>(({ refereeUid }) => refereeUid ?? undefined);

const reviewColumns: Column<ReviewRow>[] = [
  { header: "Referee", cell: ({ refereeUid }) => <RefereeUid uid={refereeUid} /> },
  inviter,
  { header: "Limit", cell: ({ beyond }) => BEYOND_LABELS[beyond] },
  { header: "Platform", wide: true, cell: ({ platform }) => PLATFORM_NAME[platform] },
  since("First tried"),
];

const selectReview = selectColumn<ReviewRow>(({ refereeUid }) => refereeUid);

type ReviewProps = Pick<Props, "base" | "selectable"> & { rows: readonly ReviewRow[] };

/** Redemptions beyond a limit, each with a link to its person. */
export function ReviewTable({ base, rows, selectable }: ReviewProps) {
  return (
    <Table
      label="Redemptions beyond a limit"
      columns={[...reviewColumns, ...(selectable ? [selectReview] : [])]}
      rows={rows}
      rowKey={({ id }) => id}
      href={({ refereeUid }) => `${base}/people?uid=${encodeURIComponent(refereeUid)}`}
    />
  );
}

interface Props {
  /** The path of the app's pages. */
  base: string;
  label: string;
  rows: readonly ReferralRow[];
  /** False on the page of a referrer. */
  withReferrer?: boolean;
  /** Whether each row has a checkbox for the bar above. */
  selectable?: boolean;
}

/** A list of referrals, each with a link to its page. */
export function ReferralTable({ base, label, rows, withReferrer = true, selectable = false }: Props) {
  return (
    <Table
      label={label}
      columns={[referee, withReferrer ? inviter : campaign, ...others, ...(selectable ? [select] : [])]}
      rows={rows}
      rowKey={({ id }) => id}
      href={({ id }) => `${base}/referrals/${id}`}
    />
  );
}
