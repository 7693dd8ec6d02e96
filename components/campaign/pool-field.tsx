"use client";

import { useState } from "react";
import { Field, SelectField } from "@/components/ui/field";
import { PLATFORM_NAME, type PlatformView, type PoolChoice } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import type { FormState } from "@/lib/contract/form-state";
import { defaultPool } from "./default-pool";

interface Props {
  platform: Platform;
  use: PoolChoice["use"];
  pools: readonly PoolChoice[];
  rule: PlatformView | undefined;
  state: FormState;
}

const WORDS = {
  referee: {
    label: "Codes for referees",
    hint: "Without codes every redeem answers 503 NO_CODES_AVAILABLE, and the referee can try again.",
  },
  reward: {
    label: "Codes for rewards",
    hint: "Without codes rewards are earned, but wait to be claimed.",
  },
};

/** Where codes come from: a pool that is there, or one that is made with the campaign. */
export function PoolField({ platform, use, pools, rule, state }: Props) {
  const own = pools.filter((pool) => pool.platform === platform && pool.use === use);
  const [chosen, setChosen] = useState(defaultPool(pools, platform, use, rule));
  const upper = use === "referee" ? "Referee" : "Reward";
  const name = `platforms.${platform}.${use}PoolId`;
  const { label, hint } = WORDS[use];
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
            name: `${pool.name} (${pool.free.toLocaleString("en")} free)`,
          })),
          { value: "new", name: "Make a new pool" },
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
          hint="Codes are imported afterwards, in the room Codes."
        />
      )}
    </div>
  );
}
