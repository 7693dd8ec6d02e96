"use client";

import { useState } from "react";
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
  influencer: boolean;
  pools: readonly PoolOption[];
  /** The default instructions, shown as a placeholder. */
  builtIn: string;
  state: FormState;
}

const THRESHOLD = 3;

/** The fields of a platform that show their own errors. */
export const PLATFORM_FIELD_NAMES = [
  "threshold",
  "rewardCap",
  "refereePoolId",
  "rewardPoolId",
  "newRefereePool",
  "newRewardPool",
  "instructions",
];

/** The rules of one platform, behind a switch. Switched off they are not sent, but keep their input. */
export function PlatformFields({
  platform,
  rule,
  on: initiallyOn,
  influencer,
  pools,
  builtIn,
  state,
}: Props) {
  const [on, setOn] = useState(initiallyOn);
  const name = PLATFORM_NAME[platform];
  const field = (key: string) => `platforms.${platform}.${key}`;
  return (
    <fieldset className="min-w-0 rounded-lg border border-line" aria-label={name}>
      <label className="flex cursor-pointer items-center gap-3 px-4 py-3.5 text-sm font-medium">
        <input
          type="checkbox"
          name={field("on")}
          checked={on}
          onChange={({ target }) => setOn(target.checked)}
          className="size-4 accent-ink"
        />
        Runs on {name}
      </label>
      <fieldset disabled={!on} hidden={!on} className="min-w-0 border-t border-line">
        <div className="grid gap-5 p-4">
          <div className="grid gap-5 sm:grid-cols-2">
            {influencer ? (
              <input type="hidden" name={field("threshold")} value={rule?.threshold ?? 1} />
            ) : (
              <Field
                label="Threshold"
                name={field("threshold")}
                defaultValue={rule?.threshold ?? THRESHOLD}
                inputMode="numeric"
                autoComplete="off"
                state={state}
                hint="Confirmed referrals that earn one reward."
              />
            )}
            <Field
              label="Maximum rewards per referrer"
              name={field("rewardCap")}
              defaultValue={rule?.rewardCap ?? ""}
              inputMode="numeric"
              autoComplete="off"
              state={state}
              hint="Leave empty for no limit."
            />
            <PoolField use="referee" platform={platform} pools={pools} rule={rule} state={state} />
            <PoolField use="reward" platform={platform} pools={pools} rule={rule} state={state} />
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
    </fieldset>
  );
}
