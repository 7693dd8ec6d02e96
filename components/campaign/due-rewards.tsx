import { Callout } from "@/components/ui/callout";
import type { DueRewards } from "@/lib/contract/campaign-view";
import { formatCount, PLATFORM_NAME, plural } from "@/lib/contract/format";

/** The rewards that a change would grant, and whether there are codes for them. */
export function DueRewardList({ due }: { due: readonly DueRewards[] }) {
  return (
    <ul className="grid gap-3">
      {due.map((rewards) => (
        <li key={rewards.platform} className="grid gap-2 text-sm">
          <p>
            <strong className="font-semibold">{PLATFORM_NAME[rewards.platform]}</strong>:{" "}
            {formatCount(rewards.rewards, "reward becomes", "rewards become")} due, for{" "}
            {formatCount(rewards.referrers, "referrer")}.
            {rewards.waiting > 0 &&
              ` ${formatCount(rewards.waiting, "reward")} earned earlier also ${plural(rewards.waiting, "waits", "wait")} to be claimed.`}
          </p>
          <Coverage due={rewards} />
        </li>
      ))}
    </ul>
  );
}

function Coverage({ due: { rewards, waiting, free } }: { due: DueRewards }) {
  const needed = rewards + waiting;
  if (free === null) {
    return (
      <Callout tone="warn">
        No reward pool is selected. The rewards can be claimed once you select one with codes.
      </Callout>
    );
  }
  if (free >= needed) {
    return <Callout tone="good">The reward pool has codes for all of them.</Callout>;
  }
  return (
    <Callout tone="warn">
      The reward pool has {formatCount(free, "free code")} for {formatCount(needed, "reward")}:{" "}
      {formatCount(needed - free, "reward")} can be claimed only after more codes are imported.
    </Callout>
  );
}
