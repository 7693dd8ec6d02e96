import { type Column, Table } from "@/components/ui/table";
import { type CampaignView, PLATFORM_NAME } from "@/lib/contract/campaign-view";
import type { Figures } from "@/lib/contract/overview";
import { Dates } from "./dates";
import { CampaignStatus, TYPE_NAME } from "./status";

interface CampaignRow {
  campaign: CampaignView;
  figures: Figures;
}

const number = (value: number) => value.toLocaleString("en");

const COLUMNS: Column<CampaignRow>[] = [
  { header: "Name", cell: ({ campaign }) => campaign.name },
  { header: "Status", cell: ({ campaign }) => <CampaignStatus campaign={campaign} /> },
  { header: "Type", wide: true, cell: ({ campaign }) => TYPE_NAME[campaign.type] },
  { header: "Platforms", wide: true, cell: ({ campaign }) => platformsOf(campaign) },
  { header: "Dates", wide: true, cell: ({ campaign }) => <Dates {...campaign} /> },
  { header: "Assigned", numeric: true, wide: true, cell: ({ figures }) => number(figures.assigned) },
  { header: "Confirmed", numeric: true, cell: ({ figures }) => number(figures.confirmed) },
  { header: "Rewards", numeric: true, wide: true, cell: ({ figures }) => number(figures.earned) },
];

/** "iOS: 3, Android: 5", the thresholds; an influencer campaign has none. */
function platformsOf({ type, platforms }: CampaignView): string {
  return platforms
    .map(({ platform, threshold }) =>
      type === "referral"
        ? `${PLATFORM_NAME[platform]}: ${threshold.toLocaleString("en")}`
        : PLATFORM_NAME[platform],
    )
    .join(", ");
}

/** The campaigns of an app with what they brought. */
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
