import { PLATFORM_NAME } from "@/components/codes/words";
import { Meter } from "@/components/ui/meter";
import { Stat } from "@/components/ui/stat";
import type { Platform } from "@/lib/contract/fields";
import type { ReferrerView } from "@/lib/contract/timeline";

const PLATFORMS: readonly Platform[] = ["ios", "android"];

/** The numbers that the app shows its user, as the API gives them. */
export function ProgressCards({ referrer }: { referrer: ReferrerView }) {
  const { stats, progress, influencer } = referrer;
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat
        name="Confirmed referrals"
        value={stats.referrals_count.toLocaleString("en")}
        note="Reversed ones left out"
      />
      <Stat
        name="Rewards earned"
        value={stats.rewards_earned.toLocaleString("en")}
        note={`${stats.rewards_available.toLocaleString("en")} to claim`}
      />
      {PLATFORMS.map((platform) => (
        <Stat
          key={platform}
          name={`${PLATFORM_NAME[platform]}, current campaign`}
          value={progress[platform].current.toLocaleString("en")}
          note={
            progress[platform].threshold > 0 ? (
              <Next name={PLATFORM_NAME[platform]} progress={progress[platform]} />
            ) : (
              noReward(influencer)
            )
          }
        />
      ))}
    </dl>
  );
}

const noReward = (influencer: boolean) => (influencer ? "Rewards are given by hand" : "Not in the campaign");

function Next({ name, progress }: { name: string; progress: ReferrerView["progress"]["ios"] }) {
  const { next_reward_at, percentage } = progress;
  return (
    <span className="grid gap-1.5">
      <span>{`Next reward at ${next_reward_at.toLocaleString("en")}`}</span>
      <Meter label={`${name}: way to the next reward`} value={percentage} max={100} />
    </span>
  );
}
