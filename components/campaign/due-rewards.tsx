import { Callout } from "@/components/ui/callout";
import type { DueRewards } from "@/lib/contract/campaign-view";
import { formatCount, formatNumber, PLATFORM_NAME, plural } from "@/lib/contract/format";

const neededBy = (due: readonly DueRewards[]): number =>
  due.reduce((sum, { rewards, waiting }) => sum + rewards + waiting, 0);

/** The rewards that a change would grant, and whether there are codes and a budget for them. */
export function DueRewardList({ due }: { due: readonly DueRewards[] }) {
  const { rewardsOn, budget = null } = due[0] ?? {};
  const together = rewardsOn === "referrer";
  return (
    <div className="grid gap-3">
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
            {!together && <Coverage due={[rewards]} />}
          </li>
        ))}
      </ul>
      {together && <Coverage due={due} />}
      {budget !== null && budget < neededBy(due) && (
        <Callout tone="warn">
          {`The campaign’s budget pays ${formatCount(budget, "more reward")} of these ${formatNumber(neededBy(due))}. Raise it to pay the others.`}
        </Callout>
      )}
    </div>
  );
}

/** Says whether the pools have codes for the rewards; rewards on the referrer's own platform share all pools. */
function Coverage({ due }: { due: readonly DueRewards[] }) {
  const needed = neededBy(due);
  const { free = null, rewardsOn } = due[0] ?? {};
  if (free === null) {
    return (
      <Callout tone="warn">
        No reward pool is selected. The rewards can be claimed once you select one with codes.
      </Callout>
    );
  }
  const own = rewardsOn === "referrer";
  const have = own ? "The reward pools have" : "The reward pool has";
  return (
    <Callout tone={free >= needed ? "good" : "warn"}>
      {free >= needed
        ? `${have} codes for all of them.`
        : `${have} ${formatCount(free, "free code")} for ${formatCount(needed, "reward")}: ${formatCount(needed - free, "reward")} can be claimed only after more codes are imported.`}
      {own &&
        " Each code is for the referrer’s own platform, where it is known, so one pool may run out first."}
    </Callout>
  );
}
