import { BadgeCheck, Gift, Ticket, Undo2, UserPlus } from "lucide-react";
import Link from "next/link";
import { PLATFORM_NAME } from "@/components/codes/words";
import { Moment } from "@/components/referral/moment";
import { AuditMoment } from "@/components/referral/referral-timeline";
import type { ReferralRow } from "@/lib/contract/referral-list";
import type { ReferrerMoment } from "@/lib/contract/timeline";

interface Props {
  base: string;
  moments: readonly ReferrerMoment[];
}

/** What happened to a referrer, the newest first. */
export function ReferrerTimeline({ base, moments }: Props) {
  return (
    <ol aria-label="Timeline">
      {moments.map((moment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: several things happen in one moment
        <Line key={index} base={base} moment={moment} />
      ))}
    </ol>
  );
}

function Line({ base, moment }: { base: string; moment: ReferrerMoment }) {
  const { at } = moment;
  switch (moment.kind) {
    case "created":
      return <Moment icon={UserPlus} at={at} title="Became a referrer" />;
    case "referral":
      return <ReferralMoment base={base} at={at} row={moment.row} />;
    case "audit":
      return <AuditMoment moment={moment} />;
    default: {
      const { platform, rewardNumber } = moment.reward;
      const name = `${PLATFORM_NAME[platform]} reward ${rewardNumber}`;
      return <Moment icon={Gift} tone="good" at={at} title={`${name} was ${moment.kind}`} />;
    }
  }
}

const LOOK = {
  clicked: { icon: Ticket, tone: "plain", words: "opened the link" },
  code_assigned: { icon: Ticket, tone: "plain", words: "got a code" },
  redeemed: { icon: BadgeCheck, tone: "good", words: "was confirmed" },
  reversed: { icon: Undo2, tone: "bad", words: "was reversed" },
} as const;

function ReferralMoment({ base, at, row }: { base: string; at: Date; row: ReferralRow }) {
  const { icon, tone, words } = LOOK[row.status];
  return (
    <Moment
      icon={icon}
      tone={tone}
      at={at}
      title={
        <>
          <Link
            href={`${base}/referrals/${row.id}`}
            prefetch={false}
            className="break-all underline hover:text-muted"
          >
            {row.refereeUid}
          </Link>{" "}
          {words}
        </>
      }
    />
  );
}
