import { type Column, Table } from "@/components/ui/table";
import type { CampaignView } from "@/lib/contract/campaign-view";
import { formatNumber, PLATFORM_NAME } from "@/lib/contract/format";
import type { Figures } from "@/lib/contract/overview";
import { CAMPAIGN_TYPE_LABEL, CampaignDates, CampaignStatus } from "./campaign-labels";

interface CampaignRow {
  campaign: CampaignView;
  figures: Figures;
}

const COLUMNS: Column<CampaignRow>[] = [
  { header: "Name", cell: ({ campaign }) => campaign.name },
  { header: "Status", cell: ({ campaign }) => <CampaignStatus campaign={campaign} /> },
  { header: "Type", wide: true, cell: ({ campaign }) => CAMPAIGN_TYPE_LABEL[campaign.type] },
  { header: "Platforms", wide: true, cell: ({ campaign }) => platformsOf(campaign) },
  {
    header: "Dates",
    wide: true,
    cell: ({ campaign }) => <CampaignDates startsAt={campaign.startsAt} endsAt={campaign.endsAt} />,
  },
  { header: "Assigned", numeric: true, wide: true, cell: ({ figures }) => formatNumber(figures.assigned) },
  { header: "Confirmed", numeric: true, cell: ({ figures }) => formatNumber(figures.confirmed) },
  { header: "Rewards", numeric: true, wide: true, cell: ({ figures }) => formatNumber(figures.earned) },
];

/** "iOS: 3, Android: 5" with the thresholds, which an influencer campaign does not have. */
function platformsOf({ type, platforms }: CampaignView): string {
  return platforms
    .map(({ platform, threshold }) =>
      type === "referral"
        ? `${PLATFORM_NAME[platform]}: ${formatNumber(threshold)}`
        : PLATFORM_NAME[platform],
    )
    .join(", ");
}

/** The campaigns of an app with their figures. */
export function CampaignTable({ rows, path }: { rows: readonly CampaignRow[]; path: string }) {
  return (
    <Table
      label="Campaigns"
      columns={COLUMNS}
      rows={rows}
      rowKey={({ campaign }) => campaign.id}
      href={({ campaign }) => `${path}/${campaign.id}`}
    />
  );
}
