"use client";

import { type FormEvent, type ReactNode, useState } from "react";
import { Toggle } from "@/components/ui/tabs";
import type { CampaignView, ExampleAnswers } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import { PLATFORMS, platformChoices } from "@/lib/contract/format";
import type { PoolOption } from "@/lib/contract/pool";
import { defaultPool } from "./pool-field";

type Previewed = Record<Platform, { on: boolean; instructions: string; poolId: string }>;

/** The current input that the preview shows; `onInput` belongs on the form. */
export function usePreviewed(campaign: Pick<CampaignView, "platforms">, pools: readonly PoolOption[]) {
  const [previewed, setPreviewed] = useState<Previewed>(() =>
    previewedBy((platform, key) => {
      const rule = campaign.platforms.find((candidate) => candidate.platform === platform);
      // A new campaign begins with every store of the app.
      if (key === "on") return rule || campaign.platforms.length === 0 ? "on" : "";
      if (key === "instructions") return rule?.instructions ?? "";
      return defaultPool(pools, platform, "referee", rule);
    }),
  );
  const onInput = ({ currentTarget: form }: FormEvent<HTMLFormElement>) =>
    setPreviewed(previewedBy((platform, key) => typedIn(form, `platforms.${platform}.${key}`)));
  return { previewed, onInput };
}

function previewedBy(
  read: (platform: Platform, key: "on" | "instructions" | "refereePoolId") => string,
): Previewed {
  const of = (platform: Platform) => ({
    on: read(platform, "on") !== "",
    instructions: read(platform, "instructions"),
    poolId: read(platform, "refereePoolId"),
  });
  return { ios: of("ios"), android: of("android") };
}

function typedIn(form: HTMLFormElement, name: string): string {
  const found = form.elements.namedItem(name);
  if (found instanceof HTMLInputElement && found.type === "checkbox" && !found.checked) return "";
  return found && "value" in found ? found.value : "";
}

interface Props {
  /** The platforms whose store id the app has. */
  stores: readonly Platform[];
  previewed: Previewed;
  pools: readonly PoolOption[];
  examples: ExampleAnswers;
  /** The address of the landing page's preview. */
  landing: string;
}

const VIEWS = [
  { value: "page", name: "Landing page" },
  { value: "answer", name: "API response" },
] as const;

type View = (typeof VIEWS)[number]["value"];

/** The referee's view: the landing page on a phone, and the response of the API to the current input. */
export function CampaignPreview({ stores, previewed, pools, examples, landing }: Props) {
  const platforms = stores.length > 0 ? stores : PLATFORMS;
  const [platform, setPlatform] = useState<Platform>(platforms[0] ?? "ios");
  const [view, setView] = useState<View>("page");
  const { instructions, poolId } = previewed[platform];
  const on = PLATFORMS.filter((store) => previewed[store].on).join(",");
  const kind = pools.find(({ id }) => id === poolId)?.kind ?? "one_time";
  const example = examples[platform][kind];
  const answer = { ...example, instructions: instructions.trim() || example.instructions };
  return (
    <section aria-label="Preview" className="grid content-start gap-3">
      <h2 className="text-sm font-semibold">What a friend gets</h2>
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Toggle label="Preview" choices={VIEWS} value={view} onChange={setView} />
        {platforms.length > 1 && (
          <Toggle
            label="Platform of the preview"
            choices={platformChoices(platforms)}
            value={platform}
            onChange={setPlatform}
          />
        )}
      </div>
      <figure hidden={view !== "page"} className="justify-self-center">
        <figcaption className="sr-only">The landing page of a referral link.</figcaption>
        <iframe
          title="Preview of the landing page"
          src={`${landing}?device=${platform}${on && `&stores=${on}`}`}
          sandbox="allow-scripts"
          loading="lazy"
          className="h-152 w-80 max-w-full rounded-4xl border-8 border-ink/85 bg-page shadow-xl"
        />
      </figure>
      <figure hidden={view !== "answer"} className="grid gap-2">
        <figcaption className="text-note text-muted">
          Response of <code className="font-mono">POST /referee-redeem</code>, with a sample code and name.
        </figcaption>
        <pre
          data-testid="answer"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keyboard
          tabIndex={0}
          className="max-h-136 overflow-auto rounded-lg border border-line bg-subtle p-3.5 font-mono text-note leading-relaxed wrap-anywhere whitespace-pre-wrap"
        >
          {JSON.stringify(answer, null, 2)}
        </pre>
      </figure>
    </section>
  );
}

/** A form with its preview beside it, or below it on narrow screens. */
export function FormLayout({ preview, children }: { preview: ReactNode; children: ReactNode }) {
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_23rem]">
      <div className="grid min-w-0 gap-5">{children}</div>
      <div className="min-w-0 xl:sticky xl:top-20">{preview}</div>
    </div>
  );
}
