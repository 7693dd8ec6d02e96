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
  /** Referees whose code waits for a purchase. */
  suggestions: string[];
}

const KINDS = [
  { value: "confirm", name: "A purchase" },
  { value: "reverse", name: "A refund" },
];

const WORDS: Record<string, string> = {
  confirmed: "The referral is confirmed and counts for its referrer.",
  reversed: "The referral is reversed and no longer counts.",
  already_confirmed: "The referral was confirmed before; nothing changed.",
  unmatched:
    "No referral of this person waits for that. The event is in the inbox of unmatched confirmations.",
};

/** Tells the service of a purchase or refund as a provider would. */
export function SimulateForm({ action, appId, suggestions }: Props) {
  const [outcome, setOutcome] = useState<Outcome>();
  const list = useId();
  const { state, pending, props } = useForm(action, setOutcome);
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="appId" value={appId} />
      <div className="grid gap-4 sm:grid-cols-[1fr_12rem]">
        <Field
          label="Referee’s user ID"
          name="refereeUid"
          required
          list={list}
          autoComplete="off"
          spellCheck={false}
          hint={suggestions.length > 0 ? "Those who have a code are suggested." : "Redeem a code first."}
          state={state}
        />
        <SelectField label="What happened" name="kind" choices={KINDS} state={state} />
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
            <p>{WORDS[outcome.status] ?? `Answered ${outcome.status}.`}</p>
          </Callout>
        )}
      </div>
      <div className="flex justify-end">
        <Button type="submit" pending={pending}>
          Simulate
        </Button>
      </div>
    </form>
  );
}
