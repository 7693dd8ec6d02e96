import { BadgeCheck, Gift, Ticket, Undo2, UserPlus } from "lucide-react";
import { AuditTimelineEntry } from "@/components/referral/referral-timeline";
import { TimelineEntry } from "@/components/referral/timeline-entry";
import { Link } from "@/components/ui/link";
import { LocalTime } from "@/components/ui/time";
import { PLATFORM_NAME } from "@/lib/contract/format";
import { ERASED_UID, shownUid } from "@/lib/contract/influencer";
import type { ReferralRow } from "@/lib/contract/referral-list";
import type { ReferrerTimelineEntry } from "@/lib/contract/timeline";

interface Props {
  base: string;
  entries: readonly ReferrerTimelineEntry[];
}

/** The timeline of a referrer, newest first. */
export function ReferrerTimeline({ base, entries }: Props) {
  return (
    <ol aria-label="Timeline">
      {entries.map((entry, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several entries have the same time
        <Line key={index} base={base} entry={entry} />
      ))}
    </ol>
  );
}

function Line({ base, entry }: { base: string; entry: ReferrerTimelineEntry }) {
  const { at } = entry;
  switch (entry.kind) {
    case "created":
      return <TimelineEntry icon={UserPlus} at={at} title="Became a referrer" />;
    case "referral":
      return <ReferralEntry base={base} at={at} row={entry.row} by={entry.by} />;
    case "audit":
      return <AuditTimelineEntry entry={entry} />;
    default: {
      const { platform, rewardNumber } = entry.reward;
      const name = `${PLATFORM_NAME[platform]} reward ${rewardNumber}`;
      return <TimelineEntry icon={Gift} tone="good" at={at} title={`${name} was ${entry.kind}`} />;
    }
  }
}

const STEP_LOOKS = {
  clicked: { icon: Ticket, tone: "plain", label: "opened the link" },
  code_assigned: { icon: Ticket, tone: "plain", label: "was assigned a code" },
  redeemed: { icon: BadgeCheck, tone: "good", label: "was confirmed" },
  reversed: { icon: Undo2, tone: "bad", label: "was reversed" },
} as const;

interface ReferralProps {
  base: string;
  at: Date;
  row: ReferralRow;
  by: string | null;
}

function ReferralEntry({ base, at, row, by }: ReferralProps) {
  const { icon, tone, label } = STEP_LOOKS[row.status];
  return (
    <TimelineEntry
      icon={icon}
      tone={tone}
      at={at}
      title={
        <>
          <Link href={`${base}/referrals/${row.id}`} className="wrap-anywhere underline hover:text-muted">
            {shownUid(row.refereeUid ?? "") ?? ERASED_UID}
          </Link>{" "}
          {label}
          {by && ` by ${by}`}
        </>
      }
    >
      {row.heldUntil && (
        <p>
          Counts from <LocalTime at={row.heldUntil} shape="day" />
        </p>
      )}
    </TimelineEntry>
  );
}
