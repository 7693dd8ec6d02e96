import { Badge, type Tone } from "@/components/ui/badge";
import { CopyButton } from "@/components/ui/copy-button";
import { type Column, Table } from "@/components/ui/table";
import type { Platform } from "@/lib/contract/fields";
import { COUNTED_UP_TO, type InfluencerView } from "@/lib/contract/influencer-view";
import { type InfluencerActions, InfluencerMenu } from "./influencer-menu";

interface Props {
  appId: string;
  influencers: readonly InfluencerView[];
  platforms: readonly Platform[];
  /** Where referrers have their pages. */
  referrers: string;
  /** Absent for people who may only look. */
  actions?: InfluencerActions | undefined;
}

const TONES: Record<InfluencerView["status"], Tone> = { active: "good", paused: "warn", ended: "bad" };
const NAMES: Record<InfluencerView["status"], string> = {
  active: "Active",
  paused: "Paused",
  ended: "Ended",
};

const bounded = (count: number) => `${count.toLocaleString("en")}${count >= COUNTED_UP_TO ? "+" : ""}`;

const COLUMNS: Column<InfluencerView>[] = [
  {
    header: "Influencer",
    cell: ({ name, handle, metacode, notes }) => (
      <span className="grid">
        <span>{name ?? metacode}</span>
        {handle && <span className="text-[13px] font-normal text-muted">{handle}</span>}
        {notes && <span className="line-clamp-1 max-w-56 text-[13px] font-normal text-muted">{notes}</span>}
      </span>
    ),
  },
  {
    header: "Metacode",
    cell: ({ metacode, link }) => (
      <span className="flex items-center gap-1">
        <code className="font-mono text-[13px]">{metacode}</code>
        <span className="relative z-10">
          <CopyButton text={link} label={`Copy the link of ${metacode}`} />
        </span>
      </span>
    ),
  },
  { header: "Status", wide: true, cell: ({ status }) => <Badge tone={TONES[status]}>{NAMES[status]}</Badge> },
  { header: "Clicked", numeric: true, wide: true, cell: ({ clicked }) => bounded(clicked) },
  { header: "Assigned", numeric: true, wide: true, cell: ({ assigned }) => bounded(assigned) },
  { header: "Confirmed", numeric: true, wide: true, cell: ({ confirmed }) => confirmed.toLocaleString("en") },
  {
    header: "Rewards",
    numeric: true,
    wide: true,
    cell: ({ earned, claimed }) =>
      `${claimed.toLocaleString("en")} of ${earned.toLocaleString("en")} claimed`,
  },
];

/** The influencers of a campaign with what they brought. */
export function InfluencerTable({ appId, influencers, platforms, referrers, actions }: Props) {
  const menu: Column<InfluencerView>[] = actions
    ? [
        {
          header: "",
          cell: (influencer) => <InfluencerMenu {...{ appId, influencer, platforms, actions }} />,
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
    />
  );
}
