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
import Link from "next/link";
import type { ReactNode } from "react";
import { Near } from "@/components/ui/time";
import type { Happening } from "@/lib/contract/overview";
import { PLATFORM_NAMES } from "./words";

interface Props {
  appId: string;
  items: Happening[];
}

type Told = (happening: Happening, link: (path: string, text: string) => ReactNode) => ReactNode;

const who: Told = ({ referrerId, referrer }, link) =>
  referrerId ? link(`/referrers/${referrerId}`, referrer ?? "a referrer") : (referrer ?? "A referrer");

const friend: Told = ({ referralId, refereeUid }, link) =>
  referralId ? link(`/referrals/${referralId}`, refereeUid ?? "a friend") : (refereeUid ?? "A friend");

const on = ({ platform }: Happening) => (platform ? ` (${PLATFORM_NAMES[platform]})` : "");

const pool: Told = ({ poolId, name }, link) =>
  poolId ? link(`/codes/pools/${poolId}`, name ?? "A pool") : (name ?? "A pool");

const campaign: Told = ({ campaignId, name }, link) =>
  campaignId ? link(`/campaigns/${campaignId}`, name ?? "A campaign") : (name ?? "A campaign");

const SENTENCES: Record<string, { icon: LucideIcon; tell: Told }> = {
  "referrer.created": { icon: UserPlus, tell: (one, link) => <>{who(one, link)} can invite friends now</> },
  "referral.code_assigned": {
    icon: Ticket,
    tell: (one, link) => (
      <>
        {friend(one, link)} got a code through {who(one, link)}
        {on(one)}
      </>
    ),
  },
  "referral.redeemed": {
    icon: CircleCheck,
    tell: (one, link) => (
      <>
        {friend(one, link)}, invited by {who(one, link)}, is confirmed{on(one)}
      </>
    ),
  },
  "referral.reversed": {
    icon: Undo2,
    tell: (one, link) => (
      <>
        {friend(one, link)}, invited by {who(one, link)}, was refunded and no longer counts
      </>
    ),
  },
  "reward.earned": {
    icon: Award,
    tell: (one, link) => (
      <>
        {who(one, link)} earned reward {one.rewardNumber}
        {on(one)}
      </>
    ),
  },
  "reward.claimed": {
    icon: Gift,
    tell: (one, link) => (
      <>
        {who(one, link)} claimed reward {one.rewardNumber}
        {on(one)}
      </>
    ),
  },
  "pool.low": { icon: PackageOpen, tell: (one, link) => <>{pool(one, link)} runs low</> },
  "pool.exhausted": { icon: PackageOpen, tell: (one, link) => <>{pool(one, link)} has no code left</> },
  "campaign.activated": { icon: Megaphone, tell: (one, link) => <>{campaign(one, link)} is active</> },
  "campaign.ended": { icon: Megaphone, tell: (one, link) => <>{campaign(one, link)} has ended</> },
  "quota.warning": {
    icon: Gauge,
    tell: ({ percent }) => `The workspace has used ${percent}% of its requests of the month`,
  },
};

/** The newest that happened, in sentences that lead to whom they name. */
export function ActivityList({ appId, items }: Props) {
  if (items.length === 0) return <p className="text-sm text-muted">Nothing in the last seven days.</p>;
  const link = (path: string, text: string) => (
    <Link
      href={`/dashboard/apps/${appId}${path}`}
      prefetch={false}
      className="font-medium wrap-anywhere hover:underline"
    >
      {text}
    </Link>
  );
  return (
    <ul className="grid gap-3.5">
      {items.map((item) => {
        const sentence = SENTENCES[item.type];
        if (!sentence) return null;
        return (
          <li key={item.id} className="flex items-start gap-3 text-sm">
            <sentence.icon className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
            <p className="min-w-0 flex-1">{sentence.tell(item, link)}</p>
            <span className="shrink-0 text-[13px] text-muted">
              <Near at={item.at} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
