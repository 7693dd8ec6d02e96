"use client";

import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { useFieldError } from "@/components/ui/field";
import type { CampaignDraft } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import type { FormState } from "@/lib/contract/form-state";
import { PLATFORM_NAME, PLATFORMS } from "@/lib/contract/format";

/** The terms of a campaign that its sentence states. */
export interface Terms {
  /** As typed, by platform. */
  threshold: Record<Platform, string>;
  confirmOn: CampaignDraft["confirmOn"];
}

const CONFIRM_ON = [
  { value: "start", singular: "subscribes", plural: "subscribe", hint: "A free trial counts." },
  {
    value: "paid",
    singular: "pays",
    plural: "pay",
    hint: "A free trial counts once it turns into a paid subscription.",
  },
] as const;

interface Props {
  terms: Terms;
  onTerms: (terms: Terms) => void;
  /** The platforms that the campaign runs on. */
  on: readonly Platform[];
  state: FormState;
}

/** Labels of two fields that the form may send without showing. */
export const thresholdLabel = (platform: Platform) => `Threshold on ${PLATFORM_NAME[platform]}`;
export const CONFIRM_LABEL = "Confirm a referral";

const nameOf = (platform: Platform) => `platforms.${platform}.threshold`;

/** The rule of a referral campaign as a sentence with fields: how many friends earn a reward, and by which event. */
export function Sentence({ terms, onTerms, on, state }: Props) {
  const { threshold, confirmOn } = terms;
  const [split, setSplit] = useState(threshold.ios !== threshold.android);
  const apart = split && on.length > 1;
  const shown = apart ? on : on.slice(0, 1);
  const hidden = PLATFORMS.filter((platform) => !shown.includes(platform));
  const set = (platform: Platform, text: string) =>
    onTerms({
      ...terms,
      threshold: apart ? { ...threshold, [platform]: text } : { ios: text, android: text },
    });
  const join = () => {
    setSplit(false);
    onTerms({ ...terms, threshold: { ios: threshold.ios, android: threshold.ios } });
  };
  const hint = CONFIRM_ON.find(({ value }) => value === confirmOn)?.hint;
  return (
    <div className="grid gap-3">
      {shown.map((platform, index) => (
        <Line
          key={apart ? platform : "all"}
          platform={platform}
          prefix={apart ? `On ${PLATFORM_NAME[platform]}, ` : ""}
          text={threshold[platform]}
          onText={(text) => set(platform, text)}
          confirmOn={confirmOn}
          onConfirmOn={index === 0 ? (value) => onTerms({ ...terms, confirmOn: value }) : undefined}
          state={state}
        />
      ))}
      {hidden.map((platform) => (
        <input
          key={platform}
          type="hidden"
          name={nameOf(platform)}
          data-label={thresholdLabel(platform)}
          value={threshold[platform]}
        />
      ))}
      <p className="text-note text-muted">
        Each friend gets a promo code, and each reward is one. {hint}
        {!apart && further(threshold[shown[0] ?? "ios"])}
      </p>
      {on.length > 1 && (
        <Button variant="secondary" size="sm" className="w-fit" onClick={apart ? join : () => setSplit(true)}>
          {apart ? "Same number on both" : "Different numbers on iOS and Android"}
        </Button>
      )}
    </div>
  );
}

const further = (count: string) =>
  /^[1-9]\d*$/.test(count)
    ? ` Every further ${count === "1" ? "friend earns" : `${count} earn`} another.`
    : "";

const PART =
  "mx-0.5 rounded-md border border-line-strong/60 bg-surface font-semibold text-ink shadow-xs hover:border-line-strong aria-invalid:border-bad";

interface LineProps {
  platform: Platform;
  prefix: string;
  text: string;
  onText: (text: string) => void;
  confirmOn: Terms["confirmOn"];
  /** Absent on the second line, because the event is the same on both platforms. */
  onConfirmOn: ((value: Terms["confirmOn"]) => void) | undefined;
  state: FormState;
}

function Line({ platform, prefix, text, onText, confirmOn, onConfirmOn, state }: LineProps) {
  const id = useId();
  const name = nameOf(platform);
  const error = useFieldError(name, state);
  const single = text.trim() === "1";
  const verb = (choice: (typeof CONFIRM_ON)[number]) => (single ? choice.singular : choice.plural);
  const chosen = CONFIRM_ON.find(({ value }) => value === confirmOn) ?? CONFIRM_ON[0];
  return (
    <div className="grid gap-1.5">
      <p className="text-lg leading-10 tracking-tight text-muted">
        {prefix}
        <input
          aria-label={prefix ? thresholdLabel(platform) : "Threshold"}
          name={name}
          value={text}
          onChange={({ target }) => onText(target.value)}
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
          className={`${PART} h-9 w-16 px-2 text-center tabular-nums`}
        />{" "}
        {single ? "friend who" : "friends who"}{" "}
        {onConfirmOn ? (
          <select
            aria-label={CONFIRM_LABEL}
            name="confirmOn"
            value={confirmOn}
            onChange={({ target }) => onConfirmOn(target.value as Terms["confirmOn"])}
            className={`${PART} h-9 px-2`}
          >
            {CONFIRM_ON.map((choice) => (
              <option key={choice.value} value={choice.value}>
                {verb(choice)}
              </option>
            ))}
          </select>
        ) : (
          verb(chosen)
        )}{" "}
        {single ? "earns" : "earn"} <span className="text-ink">1 reward</span>.
      </p>
      {error && (
        <p id={`${id}-note`} className="text-note text-bad">
          {error.replace(/^This/, "The number of friends")}
        </p>
      )}
    </div>
  );
}
