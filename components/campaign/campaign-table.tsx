import { BulkBar } from "@/components/bulk/bulk-bar";
import { selectColumn } from "@/components/bulk/row-check";
import { RecentConfirmed } from "@/components/chart/line-chart";
import { listHref, Pager } from "@/components/ui/pager";
import { type Column, Table } from "@/components/ui/table";
import type { BulkOutcome } from "@/lib/contract/bulk";
import type { CampaignQuery, CampaignView } from "@/lib/contract/campaign-view";
import type { FormAction } from "@/lib/contract/form-state";
import { formatNumber, PLATFORM_NAME } from "@/lib/contract/format";
import type { Figures } from "@/lib/contract/overview";
import { CAMPAIGN_TYPE_LABEL, CampaignDates, CampaignStatus } from "./campaign-labels";

interface CampaignRow extends CampaignView {
  figures: Figures;
  /** Confirmed referrals on each of the last days. */
  recent: readonly number[];
}

/** A figure of the campaigns, by which the list can be sorted. */
const figure = (
  header: string,
  sort: NonNullable<CampaignQuery["sort"]>,
  wide = true,
): Column<CampaignRow> => ({
  header,
  sort,
  wide,
  numeric: true,
  cell: ({ figures }) => formatNumber(figures[sort]),
});

const COLUMNS: Column<CampaignRow>[] = [
  { header: "Name", cell: NameCell },
  { header: "Status", cell: (campaign) => <CampaignStatus campaign={campaign} /> },
  {
    header: "Dates",
    sort: "",
    wide: true,
    cell: (row) => (row.startsAt || row.endsAt ? <CampaignDates {...row} /> : "–"),
  },
  figure("Assigned", "assigned"),
  figure("Confirmed", "confirmed", false),
  { header: "Last 30 days", wide: true, cell: ({ recent }) => <RecentConfirmed values={recent} empty="–" /> },
  figure("Rewards", "earned"),
];

/** An ended campaign cannot be changed. */
const SELECT = selectColumn<CampaignRow>(({ name, status }) => (status === "ended" ? undefined : name));

/** The name above the type and the platforms, on one line if the other columns leave room. */
function NameCell(campaign: CampaignRow) {
  return (
    <span className="grid sm:w-max sm:max-w-64">
      <span className="wrap-anywhere">{campaign.name}</span>
      <span className="text-xs font-normal text-muted">
        {CAMPAIGN_TYPE_LABEL[campaign.type]} · {platformsOf(campaign)}
      </span>
    </span>
  );
}

/** "iOS: 3, Android: 5" with the thresholds, which an influencer campaign does not have. A line breaks at the comma. */
function platformsOf({ type, platforms }: CampaignView): string {
  return platforms
    .map(({ platform, threshold }) =>
      type === "referral"
        ? `${PLATFORM_NAME[platform]}:\u00a0${formatNumber(threshold)}`
        : PLATFORM_NAME[platform],
    )
    .join(", ");
}

interface Props {
  rows: readonly CampaignRow[];
  nextCursor: string | null;
  path: string;
  query: CampaignQuery;
  /** Changes the chosen campaigns; absent for members who may not. */
  change?: { appId: string; pause: FormAction<BulkOutcome>; end: FormAction<BulkOutcome> } | undefined;
}

/** A page of the campaigns of an app with their figures. */
export function CampaignTable({ rows, nextCursor, path, query, change }: Props) {
  const selectable = change && rows.some(({ status }) => status !== "ended") ? change : undefined;
  return (
    <div className="grid grid-cols-1 gap-3">
      {selectable && <CampaignBulkBar {...selectable} />}
      <Table
        label="Campaigns"
        columns={selectable ? [...COLUMNS, SELECT] : COLUMNS}
        rows={rows}
        rowKey={({ id }) => id}
        href={({ id }) => `${path}/${id}`}
        sorting={{ by: query.sort, href: (sort) => listHref(path, { sort }) }}
      />
      <Pager {...{ path, query, nextCursor }} shown={rows.length} order={query.sort ? "other" : "time"} />
    </div>
  );
}

/** Pauses or ends the chosen campaigns. */
function CampaignBulkBar({ appId, pause, end }: NonNullable<Props["change"]>) {
  return (
    <BulkBar
      hidden={{ appId }}
      noun={["campaign", "campaigns"]}
      actions={[
        {
          action: pause,
          label: "Pause",
          description:
            "They assign no codes until you resume them. Codes already assigned can still be confirmed, and earned rewards stay claimable. Campaigns that are not active are left as they are.",
          done: "paused",
        },
        {
          action: end,
          label: "End",
          description:
            "This cannot be undone: an ended campaign never becomes active again. Codes already assigned can still be confirmed, and earned rewards stay claimable within the budgets. People in line lose their places.",
          done: "ended",
          danger: true,
          typed: "end",
        },
      ]}
    />
  );
}
