"use client";

import { Field, TextareaField } from "@/components/ui/field";
import type { PlatformRulesView } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import type { FormState } from "@/lib/contract/form-state";
import { PLATFORM_NAME } from "@/lib/contract/format";
import type { PoolOption } from "@/lib/contract/pool";
import { PoolField } from "./pool-field";

interface Props {
  platform: Platform;
  /** The campaign's current rules; undefined when it does not run on the platform. */
  rule: PlatformRulesView | undefined;
  on: boolean;
  pools: readonly PoolOption[];
  /** The default instructions, shown as a placeholder. */
  builtIn: string;
  state: FormState;
}

/** The fields of a platform whose error opens their fold, as the error at the button names them. */
export const PLATFORM_FIELD_NAMES: Record<string, string> = {
  rewardCap: "The maximum rewards per referrer",
  refereePoolId: "The codes for referees",
  rewardPoolId: "The codes for rewards",
  newRefereePool: "The name of the new pool for referees",
  newRewardPool: "The name of the new pool for rewards",
  instructions: "The instructions",
};

/** The pools, the limit and the instructions of one platform. While switched off, they keep their input but are not sent. */
export function PlatformFields({ platform, rule, on, pools, builtIn, state }: Props) {
  const name = PLATFORM_NAME[platform];
  const field = (key: string) => `platforms.${platform}.${key}`;
  return (
    <fieldset disabled={!on} hidden={!on} className="min-w-0" aria-label={name}>
      <legend className="mb-3 text-note font-medium text-muted">{name}</legend>
      <div className="grid gap-5">
        <div className="grid gap-5 sm:grid-cols-2">
          <PoolField use="referee" platform={platform} pools={pools} rule={rule} state={state} />
          <PoolField use="reward" platform={platform} pools={pools} rule={rule} state={state} />
          <Field
            label="Maximum rewards per referrer"
            name={field("rewardCap")}
            defaultValue={rule?.rewardCap ?? ""}
            inputMode="numeric"
            autoComplete="off"
            state={state}
            hint="Leave empty for no limit."
          />
        </div>
        <TextareaField
          label="Instructions"
          name={field("instructions")}
          defaultValue={rule?.instructions ?? ""}
          placeholder={builtIn}
          maxLength={1_000}
          rows={3}
          optional
          state={state}
          hint="Sent with each code. Leave empty to use the default instructions, which match the type of code."
        />
      </div>
    </fieldset>
  );
}
