import type { ReactNode } from "react";
import { UserLink } from "@/components/person/facts";
import { CopyButton } from "@/components/ui/copy-button";
import { Facts } from "@/components/ui/facts";
import { Link } from "@/components/ui/link";
import { MeterBar } from "@/components/ui/meter";
import { Stat } from "@/components/ui/stat";
import { RelativeTime } from "@/components/ui/time";
import type { Platform } from "@/lib/contract/fields";
import { formatNumber, PLATFORM_NAME } from "@/lib/contract/format";
import { isErased, shownUid } from "@/lib/contract/influencer";
import type { ReferrerView } from "@/lib/contract/timeline";

/** The user, the metacode and the campaign of a referrer. */
export function ReferrerFacts({ base, referrer }: { base: string; referrer: ReferrerView }) {
  const { uid, metacode, link, campaign, createdAt } = referrer;
  const copied = (text: string, label: string, more?: ReactNode) => ({
    value: <code className="min-w-0 font-mono text-note wrap-anywhere">{text}</code>,
    action: (
      <span className="flex shrink-0 items-center gap-3">
        {more}
        <CopyButton text={text} label={label} />
      </span>
    ),
  });
  return (
    <Facts
      facts={[
        {
          name: "User ID",
          ...(shownUid(uid)
            ? copied(uid, "Copy the user ID", <UserLink base={base} uid={uid} />)
            : { value: "None" }),
        },
        { name: "Metacode", ...copied(metacode, "Copy the metacode") },
        { name: "Link", ...copied(link, "Copy the referral link") },
        {
          name: "Campaign",
          value: campaign ? (
            <Link href={`${base}/campaigns/${campaign.id}`} className="underline hover:text-muted">
              {campaign.name}
            </Link>
          ) : (
            "The app’s referral campaign"
          ),
        },
        { name: "Referrer since", value: <RelativeTime at={createdAt} /> },
      ]}
    />
  );
}

/** The progress of a referrer, with the numbers of the API. */
export function ProgressCards({ referrer }: { referrer: ReferrerView }) {
  const { stats, progress, platforms } = referrer;
  return (
    <dl className="grid grid-cols-2 gap-3 max-lg:*:odd:last:col-span-2 lg:auto-cols-fr lg:grid-flow-col lg:grid-cols-none">
      <Stat
        name="Confirmed referrals"
        value={formatNumber(stats.referrals_count)}
        note={
          stats.referrals_held
            ? `${formatNumber(stats.referrals_held)} more held, and counted once the hold ends`
            : "Without reversed ones"
        }
      />
      <Stat name="Rewards earned" value={formatNumber(stats.rewards_earned)} note={rewardsNote(referrer)} />
      {platforms.map((platform) => (
        <Stat
          key={platform}
          name={`${PLATFORM_NAME[platform]}, current campaign`}
          value={formatNumber(progress[platform].current)}
          note={
            progress[platform].threshold > 0 && !isErased(referrer.uid) ? (
              <Next name={PLATFORM_NAME[platform]} progress={progress[platform]} />
            ) : (
              noReward(referrer, platform)
            )
          }
        />
      ))}
    </dl>
  );
}

function rewardsNote({ uid, stats }: ReferrerView): string {
  const { rewards_available: available, rewards_waiting: waiting = 0 } = stats;
  if (isErased(uid)) return `${formatNumber(available)} lost with the erasure`;
  const wait = waiting > 0 ? `, ${formatNumber(waiting)} ${waiting === 1 ? "waits" : "wait"}` : "";
  return `${formatNumber(available - waiting)} can be claimed${wait}`;
}

const noReward = ({ inCampaign, uid }: ReferrerView, platform: Platform) => {
  if (!inCampaign.includes(platform)) return "Not in the campaign";
  return isErased(uid) ? "No further rewards" : "Rewards are granted by hand";
};

function Next({ name, progress }: { name: string; progress: ReferrerView["progress"]["ios"] }) {
  const { next_reward_at, percentage } = progress;
  return (
    <span className="grid gap-1.5">
      <span>{`Next reward at ${formatNumber(next_reward_at)}`}</span>
      <MeterBar label={`${name}: progress to the next reward`} value={percentage} max={100} />
    </span>
  );
}
