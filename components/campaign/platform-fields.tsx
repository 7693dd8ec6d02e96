"use client";

import { useState } from "react";
import { Field, TextareaField } from "@/components/ui/field";
import { PLATFORM_NAME, type PlatformView, type PoolChoice } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import type { FormState } from "@/lib/contract/form-state";
import { PoolField } from "./pool-field";

interface Props {
  platform: Platform;
  /** What the campaign says for it now; absent where it does not run there. */
  rule: PlatformView | undefined;
  on: boolean;
  influencer: boolean;
  pools: readonly PoolChoice[];
  /** Shown in place of the campaign's own instructions while there are none. */
  builtIn: string;
  state: FormState;
}

const THRESHOLD = 3;

/** The rules of one platform, behind a switch. What is switched off is not sent, but stays as it was typed. */
export function PlatformFields({ platform, rule, on: onAtFirst, influencer, pools, builtIn, state }: Props) {
  const [on, setOn] = useState(onAtFirst);
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
                hint="Confirmed referrals for one reward."
              />
            )}
            <Field
              label="Rewards a referrer, at most"
              name={field("rewardCap")}
              defaultValue={rule?.rewardCap ?? ""}
              inputMode="numeric"
              autoComplete="off"
              optional
              state={state}
              hint="Empty: no end."
            />
            <PoolField use="referee" {...{ platform, pools, rule, state }} />
            <PoolField use="reward" {...{ platform, pools, rule, state }} />
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
            hint="Sent with every code. Empty: the built-in words, which fit the kind of code."
          />
        </div>
      </fieldset>
    </fieldset>
  );
}
