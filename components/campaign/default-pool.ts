import type { PlatformView, PoolChoice } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";

type Rule = Pick<PlatformView, "refereePoolId" | "rewardPoolId"> | undefined;

/** The pool a form begins with: the campaign's, else the fullest of that kind, else a new one. */
export function defaultPool(
  pools: readonly PoolChoice[],
  platform: Platform,
  use: PoolChoice["use"],
  rule: Rule,
): string {
  if (rule) return (use === "referee" ? rule.refereePoolId : rule.rewardPoolId) ?? "";
  const own = pools.filter((pool) => pool.platform === platform && pool.use === use);
  return own.sort((a, b) => b.free - a.free)[0]?.id ?? "new";
}
