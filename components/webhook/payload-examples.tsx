"use client";

import { useState } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { SelectField } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS, type WebhookEvent } from "@/lib/contract/webhook-events";
import { RECEIVER, SIGNING_STEPS } from "./signing-steps";

const CHOICES = WEBHOOK_EVENT_NAMES.map((value) => ({ value, name: value }));

/** An example body of each event, and how a receiver verifies it. */
export function PayloadExamples({ bodies }: { bodies: Record<WebhookEvent, string> }) {
  const [event, setEvent] = useState<WebhookEvent>("referral.redeemed");
  return (
    <Section title="What your server receives" hint="A POST request with a signed JSON body for each event.">
      <ol className="grid list-decimal gap-1 pl-5 text-sm">
        {SIGNING_STEPS.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <details className="grid grid-cols-1">
        <summary className="w-fit cursor-pointer rounded-md py-1 text-sm font-medium">
          A receiver in Node
        </summary>
        <div className="grid grid-cols-1 pt-2 pb-1">
          <CodeBlock text={RECEIVER} label="Copy the receiver" />
        </div>
      </details>
      <div className="grid gap-3 sm:max-w-xs">
        <SelectField
          label="Example of the event"
          name="event"
          value={event}
          choices={CHOICES}
          onChange={({ target }) => setEvent(target.value as WebhookEvent)}
        />
      </div>
      <p className="text-note text-muted">{WEBHOOK_EVENTS[event]}</p>
      <CodeBlock text={bodies[event]} label={`Copy the example of ${event}`} />
    </Section>
  );
}
