"use client";

import { type FormEvent, useState } from "react";
import {
  type CampaignView,
  PLATFORM_NAME,
  PLATFORMS,
  type PoolChoice,
  type SampleAnswer,
} from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import type { RedeemResponse } from "@/lib/contract/redeem";
import { defaultPool } from "./default-pool";

/** The answer of the API to a sample, made by the code that answers the API. */
export type AnswerOf = (sample: SampleAnswer) => RedeemResponse;

type Shown = Record<Platform, { instructions: string; poolId: string }>;

/** What is typed now and matters to the preview; `onInput` belongs on the form. */
export function useShown(campaign: Pick<CampaignView, "platforms">, pools: readonly PoolChoice[]) {
  const [shown, setShown] = useState<Shown>(() =>
    shownBy((platform, key) => {
      const rule = campaign.platforms.find((one) => one.platform === platform);
      if (key === "instructions") return rule?.instructions ?? "";
      return defaultPool(pools, platform, "referee", rule);
    }),
  );
  const onInput = ({ currentTarget: form }: FormEvent<HTMLFormElement>) =>
    setShown(shownBy((platform, key) => typedIn(form, `platforms.${platform}.${key}`)));
  return { shown, onInput };
}

function shownBy(read: (platform: Platform, key: "instructions" | "refereePoolId") => string): Shown {
  const of = (platform: Platform) => ({
    instructions: read(platform, "instructions"),
    poolId: read(platform, "refereePoolId"),
  });
  return { ios: of("ios"), android: of("android") };
}

function typedIn(form: HTMLFormElement, name: string): string {
  const found = form.elements.namedItem(name);
  return found && "value" in found ? found.value : "";
}

interface Props {
  shown: Shown;
  pools: readonly PoolChoice[];
  answerOf: AnswerOf;
  /** Address of the landing page's preview. */
  landing: string;
}

/** What referees get: the API's answer as it is typed, and the page behind a referral link. */
export function Preview({ shown, pools, answerOf, landing }: Props) {
  const [platform, setPlatform] = useState<Platform>("ios");
  const { instructions, poolId } = shown[platform];
  const kind = pools.find(({ id }) => id === poolId)?.kind ?? "one_time";
  const answer = answerOf({ platform, kind, instructions: instructions.trim() || null });
  return (
    <section aria-label="Preview" className="grid content-start gap-4">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-sm font-semibold">What a referee gets</h2>
        <fieldset className="flex rounded-md bg-subtle p-0.5" aria-label="Platform of the preview">
          {PLATFORMS.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === platform}
              onClick={() => setPlatform(one)}
              className="h-7 rounded-sm px-2.5 text-[13px] text-muted aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-xs pointer-coarse:h-9"
            >
              {PLATFORM_NAME[one]}
            </button>
          ))}
        </fieldset>
      </div>
      <figure className="grid gap-2">
        <figcaption className="text-[13px] text-muted">
          Answer of <code className="font-mono">POST /referee-redeem</code>; the code and the name are made
          up.
        </figcaption>
        <pre
          data-testid="answer"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
          tabIndex={0}
          className="max-h-80 overflow-auto rounded-lg border border-line bg-subtle p-3.5 font-mono text-[12.5px] leading-relaxed break-words whitespace-pre-wrap"
        >
          {JSON.stringify(answer, null, 2)}
        </pre>
      </figure>
      <figure className="grid gap-2">
        <figcaption className="text-[13px] text-muted">The page behind a referral link.</figcaption>
        <iframe
          title="Preview of the landing page"
          src={`${landing}?platform=${platform}`}
          sandbox="allow-scripts"
          loading="lazy"
          className="h-[34rem] w-full rounded-lg border border-line bg-page"
        />
      </figure>
    </section>
  );
}
