"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { type CampaignView, PLATFORMS, type SampleAnswer } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import { PLATFORM_NAME } from "@/lib/contract/format";
import type { PoolOption } from "@/lib/contract/pool";
import type { RedeemResponse } from "@/lib/contract/redeem";
import { defaultPool } from "./pool-field";

/** The response of the API to a sample, computed by the code behind the API. */
export type AnswerOf = (sample: SampleAnswer) => RedeemResponse;

type Previewed = Record<Platform, { instructions: string; poolId: string }>;

/** The current input that the preview shows; `onInput` belongs on the form. */
export function usePreviewed(campaign: Pick<CampaignView, "platforms">, pools: readonly PoolOption[]) {
  const [previewed, setPreviewed] = useState<Previewed>(() =>
    previewedBy((platform, key) => {
      const rule = campaign.platforms.find((candidate) => candidate.platform === platform);
      if (key === "instructions") return rule?.instructions ?? "";
      return defaultPool(pools, platform, "referee", rule);
    }),
  );
  const onInput = ({ currentTarget: form }: FormEvent<HTMLFormElement>) =>
    setPreviewed(previewedBy((platform, key) => typedIn(form, `platforms.${platform}.${key}`)));
  return { previewed, onInput };
}

function previewedBy(read: (platform: Platform, key: "instructions" | "refereePoolId") => string): Previewed {
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
  previewed: Previewed;
  pools: readonly PoolOption[];
  answerOf: AnswerOf;
  /** The address of the landing page's preview. */
  landing: string;
}

/** The referee's view: the response of the API to the current input, and the landing page. */
export function CampaignPreview({ previewed, pools, answerOf, landing }: Props) {
  const [platform, setPlatform] = useState<Platform>("ios");
  const { instructions, poolId } = previewed[platform];
  const kind = pools.find(({ id }) => id === poolId)?.kind ?? "one_time";
  const answer = answerOf({ platform, kind, instructions: instructions.trim() || null });
  return (
    <section aria-label="Preview" className="grid content-start gap-4">
      <div className="flex items-center justify-between gap-3">
        <h2 className="text-sm font-semibold">What a referee gets</h2>
        <fieldset className="flex rounded-md bg-subtle p-0.5" aria-label="Platform of the preview">
          {PLATFORMS.map((choice) => (
            <button
              key={choice}
              type="button"
              aria-pressed={choice === platform}
              onClick={() => setPlatform(choice)}
              className="h-7 rounded-sm px-2.5 text-[13px] text-muted aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-xs pointer-coarse:h-9"
            >
              {PLATFORM_NAME[choice]}
            </button>
          ))}
        </fieldset>
      </div>
      <figure className="grid gap-2">
        <figcaption className="text-[13px] text-muted">
          Response of <code className="font-mono">POST /referee-redeem</code>, with a sample code and name.
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
        <figcaption className="text-[13px] text-muted">The landing page of a referral link.</figcaption>
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

/** A form with its preview beside it, or below it on narrow screens. */
export function FormLayout({ preview, children }: { preview: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_23rem]">
      <div className="grid min-w-0 gap-5">{children}</div>
      <div className="min-w-0 xl:sticky xl:top-6">{preview}</div>
    </div>
  );
}
