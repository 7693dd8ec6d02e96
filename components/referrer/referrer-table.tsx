import { type Column, Table } from "@/components/ui/table";
import { Near } from "@/components/ui/time";
import type { ReferrerRow } from "@/lib/contract/referrer-list";
import { ReferrerBadge } from "./status-badge";

const whole = (count: number) => count.toLocaleString("en");

const COLUMNS: Column<ReferrerRow>[] = [
  {
    header: "Referrer",
    cell: ({ name, uid }) => (
      <span className="grid max-w-60 min-w-0">
        <span className="truncate">{name ?? uid}</span>
        {name && <span className="truncate font-mono text-xs font-normal text-muted">{uid}</span>}
      </span>
    ),
  },
  {
    header: "Metacode",
    cell: ({ metacode }) => <code className="font-mono text-[13px]">{metacode}</code>,
  },
  { header: "Status", wide: true, cell: ({ status }) => <ReferrerBadge status={status} /> },
  {
    header: "Campaign",
    wide: true,
    cell: ({ campaign }) => (
      <span className="block max-w-44 truncate text-muted">{campaign ?? "Referral campaign"}</span>
    ),
  },
  { header: "Confirmed", numeric: true, cell: ({ confirmed }) => whole(confirmed) },
  {
    header: "Rewards",
    numeric: true,
    wide: true,
    cell: ({ earned, claimed }) => (earned === 0 ? "0" : `${whole(claimed)} of ${whole(earned)} claimed`),
  },
  {
    header: "Since",
    wide: true,
    cell: ({ createdAt }) => (
      <span className="whitespace-nowrap text-muted">
        <Near at={createdAt} />
      </span>
    ),
  },
];

/** Referrers, each a line that leads to its page. */
export function ReferrerTable({ base, rows }: { base: string; rows: readonly ReferrerRow[] }) {
  return (
    <Table
      label="Referrers"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ id }) => id}
      href={({ id }) => `${base}/referrers/${id}`}
    />
  );
}
