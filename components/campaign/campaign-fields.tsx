"use client";

import { useState } from "react";
import { Field, useGroupError } from "@/components/ui/field";
import { Fold } from "@/components/ui/fold";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import type { CampaignDraft, ExampleAnswers } from "@/lib/contract/campaign-view";
import type { Platform } from "@/lib/contract/fields";
import type { FormState } from "@/lib/contract/form-state";
import { PLATFORM_NAME, PLATFORMS } from "@/lib/contract/format";
import type { PoolOption } from "@/lib/contract/pool";
import { DateTimeField } from "./date-time-field";
import { PLATFORM_FIELD_NAMES, PlatformFields } from "./platform-fields";
import { RULE_FIELD_NAMES, RuleFields } from "./rule-fields";
import { CONFIRM_LABEL, Sentence, type Terms, thresholdLabel } from "./sentence";
import { type CampaignTemplate, TEMPLATES, Templates } from "./templates";

interface Props {
  appId: string;
  campaign: CampaignDraft;
  pools: readonly PoolOption[];
  examples: ExampleAnswers;
  state: FormState;
  influencer: boolean;
  /** The platforms whose store id the app has. */
  stores: readonly Platform[];
  /** Whether the campaign is new, and so starts on every store of the app. */
  fresh: boolean;
  /** Called with the template that the reader chooses; absent for a campaign that exists. */
  onTemplate?: (template: CampaignTemplate) => void;
}

/** The fields outside the folds of codes and rules, as the error at the button names them. */
export const FIELD_NAMES: Record<string, string> = {
  name: "The name",
  threshold: "The number of friends",
  confirmOn: "The confirmation",
  startsAt: "The start",
  endsAt: "The end",
};

const DATE_FIELDS = ["startsAt", "endsAt"];
const RULE_FIELDS = Object.keys(RULE_FIELD_NAMES);
const platformFields = (names: readonly string[]) =>
  PLATFORMS.flatMap((platform) => names.map((name) => `platforms.${platform}.${name}`));
const FOLDED_PLATFORM_FIELDS = platformFields(Object.keys(PLATFORM_FIELD_NAMES));

const THRESHOLD = "3";

function termsOf({ platforms, confirmOn }: CampaignDraft): Terms {
  const of = (platform: Platform) =>
    String((platforms.find((rule) => rule.platform === platform) ?? platforms[0])?.threshold ?? THRESHOLD);
  return { threshold: { ios: of("ios"), android: of("android") }, confirmOn };
}

/** Whether a name is empty or a template's, so that another template may replace it. */
const isUntouched = (name: string) =>
  name.trim() === "" || TEMPLATES.some(({ title }) => title === name.trim());

/** The campaign as a sentence, its name and its stores. Dates, pools and rules have defaults and are folded. */
export function CampaignFields(props: Props) {
  const { appId, campaign, pools, examples, state, influencer, stores, fresh, onTemplate } = props;
  const ruleOf = (platform: Platform) => campaign.platforms.find((rule) => rule.platform === platform);
  const offered = PLATFORMS.filter((platform) => stores.includes(platform) || ruleOf(platform));
  const choices = offered.length > 0 ? offered : PLATFORMS;
  const [on, setOn] = useState<readonly Platform[]>(fresh ? choices : PLATFORMS.filter(ruleOf));
  const [terms, setTerms] = useState(termsOf(campaign));
  const [name, setName] = useState(campaign.name);
  const [template, setTemplate] = useState(TEMPLATES[0].value);
  const toggle = (platform: Platform, added: boolean) =>
    setOn(PLATFORMS.filter((other) => (other === platform ? added : on.includes(other))));
  const choose = (chosen: CampaignTemplate) => {
    setTemplate(chosen.value);
    if (isUntouched(name)) setName(chosen.title);
    setTerms({
      threshold: { ios: chosen.threshold, android: chosen.threshold },
      confirmOn: chosen.confirmOn,
    });
    onTemplate?.(chosen);
  };
  return (
    <>
      <Section title={influencer ? "Campaign" : "What earns a reward"}>
        {onTemplate && <Templates value={template} onChoose={choose} />}
        {influencer ? (
          <Influencers terms={terms} />
        ) : (
          <Sentence terms={terms} onTerms={setTerms} on={on.length > 0 ? on : choices} state={state} />
        )}
        <Field
          label="Name"
          name="name"
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={80}
          placeholder="Invite friends"
          autoComplete="off"
          state={state}
          hint="Only you and your team see it."
        />
        <Stores appId={appId} choices={choices} on={on} stores={stores} state={state} onToggle={toggle} />
      </Section>
      <Fold title="Codes" hint={codesHint(on, pools)} fields={FOLDED_PLATFORM_FIELDS} state={state}>
        {PLATFORMS.map((platform) => (
          <PlatformFields
            key={platform}
            platform={platform}
            rule={ruleOf(platform)}
            pools={pools}
            state={state}
            on={on.includes(platform)}
            builtIn={examples[platform].one_time.instructions}
          />
        ))}
      </Fold>
      <Fold
        title="Dates"
        hint={
          campaign.startsAt || campaign.endsAt
            ? "When it starts and ends."
            : "Starts when you activate it, ends when you end it."
        }
        fields={DATE_FIELDS}
        state={state}
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <DateTimeField
            label="Starts"
            name="startsAt"
            value={campaign.startsAt}
            state={state}
            hint="Leave empty to start on activation."
          />
          <DateTimeField
            label="Ends"
            name="endsAt"
            value={campaign.endsAt}
            state={state}
            hint="Leave empty to end it by hand."
          />
        </div>
      </Fold>
      <Fold
        title="More rules"
        hint="Renewals, the platform of rewards, hold, reciprocal referrals, budgets and safety margin."
        fields={RULE_FIELDS}
        state={state}
      >
        <RuleFields campaign={campaign} both={on.length > 1} state={state} />
      </Fold>
    </>
  );
}

/** The origin of the codes, shown while the fold is closed. */
function codesHint(on: readonly Platform[], pools: readonly PoolOption[]): string {
  const stocked = on.filter((platform) => pools.some((pool) => pool.platform === platform));
  if (on.length === 0) return "Choose a store first.";
  if (stocked.length < on.length) return "Pools for referees and rewards are created with the campaign.";
  return `From the pools for ${on.map((platform) => PLATFORM_NAME[platform]).join(" and ")}.`;
}

/** An influencer campaign, whose rewards are granted by hand: the rules of the sentence are sent unchanged. */
function Influencers({ terms: { threshold, confirmOn } }: { terms: Terms }) {
  return (
    <>
      <p className="text-lg tracking-tight text-muted">
        People you choose get their own metacodes, and you{" "}
        <span className="text-ink">grant rewards by hand</span>.
      </p>
      <input type="hidden" name="confirmOn" data-label={CONFIRM_LABEL} value={confirmOn} />
      {PLATFORMS.map((platform) => (
        <input
          key={platform}
          type="hidden"
          name={`platforms.${platform}.threshold`}
          data-label={thresholdLabel(platform)}
          value={threshold[platform]}
        />
      ))}
    </>
  );
}

interface StoresProps {
  appId: string;
  choices: readonly Platform[];
  on: readonly Platform[];
  stores: readonly Platform[];
  state: FormState;
  onToggle: (platform: Platform, on: boolean) => void;
}

/** The stores of the app that the campaign runs on. */
function Stores({ appId, choices, on, stores, state, onToggle }: StoresProps) {
  const { invalid, note } = useGroupError("platforms", state);
  const missing = PLATFORMS.filter((platform) => !stores.includes(platform));
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">Runs on</legend>
      <div className="flex flex-wrap gap-2">
        {choices.map((platform) => (
          <label
            key={platform}
            className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-lg border border-line px-3 text-sm has-checked:border-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent pointer-coarse:min-h-11"
          >
            <input
              {...invalid}
              type="checkbox"
              name={`platforms.${platform}.on`}
              checked={on.includes(platform)}
              onChange={({ target }) => onToggle(platform, target.checked)}
              className="size-4 accent-ink"
            />
            {PLATFORM_NAME[platform]}
          </label>
        ))}
      </div>
      {note}
      {missing.length > 0 && (
        <p className="text-note text-muted">
          {missing
            .map((platform) => (platform === "ios" ? "The Apple app ID" : "The Android package"))
            .join(" and ")}{" "}
          {missing.length > 1 ? "are" : "is"} missing.{" "}
          <Link href={`/dashboard/apps/${appId}/settings`} className="underline hover:text-ink">
            Add {missing.length > 1 ? "one" : "it"} in Settings
          </Link>{" "}
          to run campaigns there.
        </p>
      )}
    </fieldset>
  );
}
