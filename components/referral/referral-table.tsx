import { PLATFORM_NAME } from "@/components/codes/words";
import { type Column, Table } from "@/components/ui/table";
import { Near } from "@/components/ui/time";
import type { ReferralRow } from "@/lib/contract/referral-list";
import { ReferralBadge } from "./status-badge";

const referee: Column<ReferralRow> = {
  header: "Referee",
  cell: ({ refereeUid }) =>
    refereeUid ? (
      <span className="block max-w-52 truncate font-mono text-[13px]">{refereeUid}</span>
    ) : (
      <span className="text-muted">Not known yet</span>
    ),
};

const referrer: Column<ReferralRow> = {
  header: "Referrer",
  wide: true,
  cell: ({ referrer }) => (
    <span className="block max-w-52 truncate">
      {referrer ? (referrer.name ?? referrer.metacode) : "Erased"}
    </span>
  ),
};

const others: Column<ReferralRow>[] = [
  { header: "Status", cell: ({ status }) => <ReferralBadge status={status} /> },
  { header: "Platform", wide: true, cell: ({ platform }) => (platform ? PLATFORM_NAME[platform] : "") },
  {
    header: "Campaign",
    wide: true,
    cell: ({ campaign }) => <span className="block max-w-44 truncate">{campaign}</span>,
  },
  {
    header: "Code",
    wide: true,
    cell: ({ code }) => <span className="font-mono text-[13px] text-muted">{code}</span>,
  },
  {
    header: "Begun",
    cell: ({ createdAt }) => (
      <span className="whitespace-nowrap text-muted">
        <Near at={createdAt} />
      </span>
    ),
  },
];

interface Props {
  /** Path of the app's rooms. */
  base: string;
  label: string;
  rows: readonly ReferralRow[];
  /** On a referrer's own page it goes without saying. */
  withReferrer?: boolean;
}

/** Referrals, each a line that leads to its page. */
export function ReferralTable({ base, label, rows, withReferrer = true }: Props) {
  return (
    <Table
      label={label}
      columns={[referee, ...(withReferrer ? [referrer] : []), ...others]}
      rows={rows}
      rowKey={({ id }) => id}
      href={({ id }) => `${base}/referrals/${id}`}
    />
  );
}
