"use client";

import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, FormError, SelectField } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Outcome {
  status: string;
  matched: boolean;
}

interface Props {
  action: FormAction<Outcome>;
  appId: string;
  /** Referees with a code and no purchase yet. */
  suggestions: string[];
}

const KINDS = [
  { value: "confirm", name: "Purchase" },
  { value: "reverse", name: "Refund" },
];

const OUTCOME_LABEL: Record<string, string> = {
  confirmed: "The referral is confirmed and counts for its referrer.",
  reversed: "The referral is reversed and no longer counts.",
  already_confirmed: "The referral was already confirmed. Nothing changed.",
  unmatched: "No referral of this user matches this event. It is listed under Providers, Unmatched.",
};

/** Simulates a purchase or a refund, as a provider would report it. */
export function SimulateForm({ action, appId, suggestions }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();
  const list = useId();
  const { state, pending, props } = useForm(action, setOutcome, { stores: false });
  return (
    <form {...props} className="grid max-w-2xl gap-4">
      <input type="hidden" name="appId" value={appId} />
      <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
        <Field
          label="Referee’s user ID"
          name="refereeUid"
          required
          list={list}
          autoComplete="off"
          spellCheck={false}
          hint={suggestions.length > 0 ? "Referees with a code are suggested." : "Redeem a code first."}
          state={state}
        />
        <SelectField label="Event" name="kind" choices={KINDS} state={state} />
      </div>
      <datalist id={list}>
        {suggestions.map((uid) => (
          <option key={uid} value={uid} />
        ))}
      </datalist>
      <FormError state={state} fields={["refereeUid", "kind"]} />
      <div role="status" className="empty:hidden">
        {outcome && !pending && (
          <Callout tone={outcome.matched ? "good" : "warn"}>
            <p>{OUTCOME_LABEL[outcome.status] ?? `Outcome: ${outcome.status}.`}</p>
          </Callout>
        )}
      </div>
      <div>
        <Button type="submit" pending={pending}>
          Simulate
        </Button>
      </div>
    </form>
  );
}
