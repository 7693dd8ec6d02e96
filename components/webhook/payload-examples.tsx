import type { ReactNode } from "react";
import { CodeBlock } from "@/components/ui/code-block";
import { Section } from "@/components/ui/section";
import { WEBHOOK_EVENT_NAMES, WEBHOOK_EVENTS } from "@/lib/contract/webhook-events";
import { exampleBody } from "@/lib/contract/webhook-payloads";
import { RECEIVER, SIGNING_STEPS } from "./signing-steps";

/** An example body of each event, and how a receiver verifies it. */
export function PayloadExamples() {
  return (
    <Section title="What your server receives" hint="A POST request with a signed JSON body for each event.">
      <ol className="grid list-decimal gap-1 pl-5 text-sm">
        {SIGNING_STEPS.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <Folded title="A receiver in Node">
        <CodeBlock text={RECEIVER} label="Copy the receiver" />
      </Folded>
      <div className="grid divide-y divide-line rounded-lg border border-line">
        {WEBHOOK_EVENT_NAMES.map((name) => (
          <div key={name} className="px-3.5 py-2">
            <Folded title={<span className="font-mono text-note">{name}</span>} hint={WEBHOOK_EVENTS[name]}>
              <CodeBlock
                text={JSON.stringify(exampleBody(name), null, 2)}
                label={`Copy the example of ${name}`}
              />
            </Folded>
          </div>
        ))}
      </div>
    </Section>
  );
}

interface FoldedProps {
  title: ReactNode;
  hint?: string;
  children: ReactNode;
}

function Folded({ title, hint, children }: FoldedProps) {
  return (
    <details className="grid grid-cols-1">
      <summary className="w-fit cursor-pointer rounded-md py-1 text-sm font-medium">{title}</summary>
      <div className="grid grid-cols-1 gap-2 pt-2 pb-1">
        {hint && <p className="text-note text-muted">{hint}</p>}
        {children}
      </div>
    </details>
  );
}
