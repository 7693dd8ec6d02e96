"use client";

import { useState } from "react";
import { Field, SelectField } from "@/components/ui/field";
import type { PlatformRulesView } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import type { FormState } from "@/lib/contract/form-state";
import { formatNumber, PLATFORM_NAME } from "@/lib/contract/format";
import type { PoolOption } from "@/lib/contract/pool";

interface Props {
  platform: Platform;
  use: PoolOption["use"];
  pools: readonly PoolOption[];
  rule: PlatformRulesView | undefined;
  state: FormState;
}

const LABELS = {
  referee: {
    label: "Codes for referees",
    hint: "Without codes, referees cannot redeem metacodes. They can try again later.",
  },
  reward: {
    label: "Codes for rewards",
    hint: "Without codes, rewards can be earned but not claimed.",
  },
};

/** The pool that codes come from: an existing one, or a new one created with the campaign. */
export function PoolField({ platform, use, pools, rule, state }: Props) {
  const own = pools.filter((pool) => pool.platform === platform && pool.use === use);
  const [chosen, setChosen] = useState(defaultPool(pools, platform, use, rule));
  const upper = use === "referee" ? "Referee" : "Reward";
  const name = `platforms.${platform}.${use}PoolId`;
  const { label, hint } = LABELS[use];
  const free = own.find(({ id }) => id === chosen)?.free;
  return (
    <div className="grid content-start gap-3">
      <SelectField
        label={label}
        name={name}
        defaultValue={chosen}
        onChange={({ target }) => setChosen(target.value)}
        state={state}
        hint={free === 0 || chosen === "" ? hint : undefined}
        choices={[
          { value: "", name: "No pool yet" },
          ...own.map((pool) => ({
            value: pool.id,
            name: `${pool.name} (${formatNumber(pool.free)} free)`,
          })),
          { value: "new", name: "Create new pool" },
        ]}
      />
      {chosen === "new" && (
        <Field
          label="Name of the new pool"
          name={`platforms.${platform}.new${upper}Pool`}
          defaultValue={`${PLATFORM_NAME[platform]} ${use} codes`}
          maxLength={80}
          autoComplete="off"
          state={state}
          hint="Import its codes afterwards, under Codes."
        />
      )}
    </div>
  );
}

type Rule = Pick<PlatformRulesView, "refereePoolId" | "rewardPoolId"> | undefined;

/** The preselected pool: the one of the campaign, else the fullest that fits, else a new one. */
export function defaultPool(
  pools: readonly PoolOption[],
  platform: Platform,
  use: PoolOption["use"],
  rule: Rule,
): string {
  if (rule) return (use === "referee" ? rule.refereePoolId : rule.rewardPoolId) ?? "";
  const own = pools.filter((pool) => pool.platform === platform && pool.use === use);
  return own.sort((a, b) => b.free - a.free)[0]?.id ?? "new";
}
