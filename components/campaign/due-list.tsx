import { Callout } from "@/components/ui/callout";
import { PLATFORM_NAME } from "@/lib/contract/campaign-view";
import type { DueRewards } from "@/lib/contract/due-rewards";

const many = (count: number, one: string, more = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : more}`;

/** What a change would grant, and whether there are codes for it. */
export function DueList({ due }: { due: readonly DueRewards[] }) {
  return (
    <ul className="grid gap-3">
      {due.map((one) => (
        <li key={one.platform} className="grid gap-2 text-sm">
          <p>
            <strong className="font-semibold">{PLATFORM_NAME[one.platform]}</strong>:{" "}
            {many(one.rewards, "reward becomes", "rewards become")} due, for {many(one.referrers, "referrer")}
            .
            {one.waiting > 0 &&
              ` ${many(one.waiting, "reward")} earned before ${one.waiting === 1 ? "waits" : "wait"} to be claimed as well.`}
          </p>
          <Coverage due={one} />
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
        No pool for rewards is chosen: they can be claimed once there is one with codes.
      </Callout>
    );
  }
  if (free >= needed) {
    return <Callout tone="good">The reward pool has codes for all of them.</Callout>;
  }
  return (
    <Callout tone="warn">
      The reward pool has {many(free, "free code")} for {many(needed, "reward")}:{" "}
      {many(needed - free, "reward")} can be claimed only after more codes are imported.
    </Callout>
  );
}
