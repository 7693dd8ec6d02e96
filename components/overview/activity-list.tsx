import {
  Award,
  CircleCheck,
  Gauge,
  Gift,
  type LucideIcon,
  Megaphone,
  PackageOpen,
  Ticket,
  Undo2,
  UserPlus,
} from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { RelativeTime } from "@/components/ui/time";
import { PLATFORM_NAME } from "@/lib/contract/format";
import type { ActivityItem } from "@/lib/contract/overview";

interface Props {
  appId: string;
  items: ActivityItem[];
}

type LinkTo = (path: string, text: string) => ReactNode;

/** A part of a sentence that links to the page of its subject. */
type Phrase = (item: ActivityItem, link: LinkTo) => ReactNode;

const referrer: Phrase = ({ referrerId, referrer: name }, link) =>
  referrerId ? link(`/referrers/${referrerId}`, name ?? "a referrer") : (name ?? "A referrer");

const friend: Phrase = ({ referralId, refereeUid }, link) =>
  referralId ? link(`/referrals/${referralId}`, refereeUid ?? "A friend") : (refereeUid ?? "A friend");

const pool: Phrase = ({ poolId, name }, link) =>
  poolId ? link(`/codes/pools/${poolId}`, name ?? "A pool") : (name ?? "A pool");

const campaign: Phrase = ({ campaignId, name }, link) =>
  campaignId ? link(`/campaigns/${campaignId}`, name ?? "A campaign") : (name ?? "A campaign");

const onPlatform = ({ platform }: ActivityItem) => (platform ? ` (${PLATFORM_NAME[platform]})` : "");

const SENTENCES: Record<string, { icon: LucideIcon; sentence: Phrase }> = {
  "referrer.created": {
    icon: UserPlus,
    sentence: (item, link) => <>{referrer(item, link)} can invite friends now</>,
  },
  "referral.code_assigned": {
    icon: Ticket,
    sentence: (item, link) => (
      <>
        {friend(item, link)} was assigned a code through {referrer(item, link)}
        {onPlatform(item)}
      </>
    ),
  },
  "referral.redeemed": {
    icon: CircleCheck,
    sentence: (item, link) => (
      <>
        {friend(item, link)}, invited by {referrer(item, link)}, is confirmed{onPlatform(item)}
      </>
    ),
  },
  "referral.reversed": {
    icon: Undo2,
    sentence: (item, link) => (
      <>
        {friend(item, link)}, invited by {referrer(item, link)}, was reversed and no longer counts
      </>
    ),
  },
  "referral.released": {
    icon: Undo2,
    sentence: (item, link) => (
      <>
        The redemption of {item.refereeUid ?? "a friend"}, invited by {referrer(item, link)}, was released
      </>
    ),
  },
  "reward.earned": {
    icon: Award,
    sentence: (item, link) => (
      <>
        {referrer(item, link)} earned reward {item.rewardNumber}
        {onPlatform(item)}
      </>
    ),
  },
  "reward.claimed": {
    icon: Gift,
    sentence: (item, link) => (
      <>
        {referrer(item, link)} claimed reward {item.rewardNumber}
        {onPlatform(item)}
      </>
    ),
  },
  "reward.withdrawn": {
    icon: Undo2,
    sentence: (item, link) => (
      <>
        Reward {item.rewardNumber} of {referrer(item, link)}
        {onPlatform(item)} was withdrawn
      </>
    ),
  },
  "reward.restored": {
    icon: Award,
    sentence: (item, link) => (
      <>
        Reward {item.rewardNumber} of {referrer(item, link)}
        {onPlatform(item)} can be claimed again
      </>
    ),
  },
  "pool.low": { icon: PackageOpen, sentence: (item, link) => <>{pool(item, link)} is running low</> },
  "pool.exhausted": {
    icon: PackageOpen,
    sentence: (item, link) => <>{pool(item, link)} has no codes left</>,
  },
  "campaign.activated": { icon: Megaphone, sentence: (item, link) => <>{campaign(item, link)} is active</> },
  "campaign.ended": { icon: Megaphone, sentence: (item, link) => <>{campaign(item, link)} has ended</> },
  "quota.warning": {
    icon: Gauge,
    sentence: ({ percent }) => `The workspace has used ${percent}% of its requests this month`,
  },
};

/** The newest events as sentences, with links to their subjects. */
export function ActivityList({ appId, items }: Props) {
  if (items.length === 0) {
    return (
      <p className="text-sm text-muted">
        No activity in the last seven days.{" "}
        <Link href={`/dashboard/apps/${appId}/check`} className="underline underline-offset-2">
          Check the integration
        </Link>
      </p>
    );
  }
  const link: LinkTo = (path, text) => (
    <Link href={`/dashboard/apps/${appId}${path}`} className="font-medium wrap-anywhere hover:underline">
      {text}
    </Link>
  );
  return (
    <ul className="grid gap-3.5">
      {items.map((item) => {
        const shape = SENTENCES[item.type];
        if (!shape) return null;
        return (
          <li key={item.id} className="flex items-start gap-3 text-sm">
            <shape.icon className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
            <p className="min-w-0 flex-1">{shape.sentence(item, link)}</p>
            <span className="shrink-0 text-note text-muted">
              <RelativeTime at={item.at} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
