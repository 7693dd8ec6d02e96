import { CopyButton } from "@/components/ui/copy-button";
import { StatusBadge, type StatusLooks } from "@/components/ui/status-badge";
import { type Column, type Sorting, Table } from "@/components/ui/table";
import type { Platform } from "@/lib/contract/fields";
import { formatNumber, formatPercent, formatRewards } from "@/lib/contract/format";
import { COUNTED_UP_TO, type InfluencerView } from "@/lib/contract/influencer-view";
import { type InfluencerActions, InfluencerMenu } from "./influencer-menu";

interface Props {
  appId: string;
  influencers: readonly InfluencerView[];
  platforms: readonly Platform[];
  /** The path of the referrers' pages. */
  referrers: string;
  /** Absent for roles that may only read. */
  actions?: InfluencerActions | undefined;
  sorting: Sorting;
}

const INFLUENCER_STATUSES: StatusLooks<InfluencerView["status"]> = {
  active: { label: "Active", tone: "good" },
  paused: { label: "Paused", tone: "warn" },
  ended: { label: "Ended", tone: "bad" },
};

const bounded = (count: number) => `${formatNumber(count)}${count >= COUNTED_UP_TO ? "+" : ""}`;

const COLUMNS: Column<InfluencerView>[] = [
  {
    header: "Influencer",
    cell: ({ name, handle, metacode, notes }) => (
      <span className="grid">
        <span>{name ?? metacode}</span>
        {name && <code className="font-mono text-note font-normal wrap-anywhere sm:hidden">{metacode}</code>}
        {handle && <span className="text-note font-normal text-muted wrap-anywhere">{handle}</span>}
        {notes && <span className="line-clamp-1 max-w-56 text-note font-normal text-muted">{notes}</span>}
      </span>
    ),
  },
  {
    header: "Metacode",
    wide: true,
    cell: ({ metacode, link }) => (
      <span className="flex items-center gap-1">
        <code className="font-mono text-note">{metacode}</code>
        <span className="relative z-10">
          <CopyButton text={link} label={`Copy the link of ${metacode}`} />
        </span>
      </span>
    ),
  },
  {
    header: "Status",
    wide: true,
    cell: ({ status }) => <StatusBadge status={status} looks={INFLUENCER_STATUSES} />,
  },
  { header: "Clicked, 90 days", numeric: true, wide: true, cell: ({ clicked }) => bounded(clicked) },
  { header: "Assigned", numeric: true, wide: true, cell: ({ assigned }) => bounded(assigned) },
  {
    header: "Confirmed",
    sort: "confirmed",
    numeric: true,
    cell: ({ confirmed }) => formatNumber(confirmed),
  },
  { header: "Conversion", numeric: true, wide: true, cell: Conversion },
  {
    header: "Rewards",
    numeric: true,
    wide: true,
    cell: formatRewards,
  },
];

/** The confirmed share of codes, not of clicks, which are deleted after 90 days; unknown where not all codes are counted. */
function Conversion({ assigned, confirmed }: InfluencerView) {
  const percent = assigned < COUNTED_UP_TO ? formatPercent(confirmed, assigned) : undefined;
  return percent ? <span className="whitespace-nowrap">{percent} of codes</span> : "–";
}

/** The influencers of a campaign with their figures. */
export function InfluencerTable({ appId, influencers, platforms, referrers, actions, sorting }: Props) {
  const menu: Column<InfluencerView>[] = actions
    ? [
        {
          header: "",
          cell: (influencer) => (
            <InfluencerMenu appId={appId} influencer={influencer} platforms={platforms} actions={actions} />
          ),
        },
      ]
    : [];
  return (
    <Table
      label="Influencers"
      columns={[...COLUMNS, ...menu]}
      rows={influencers}
      rowKey={({ id }) => id}
      href={({ id }) => `${referrers}/${id}`}
      sorting={sorting}
    />
  );
}
