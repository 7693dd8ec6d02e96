"use client";

import { Button } from "@/components/ui/button";
import { Field, FormError, SelectField } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { EventVerdict, TestKind } from "@/lib/contract/provider";
import { VERDICT_WORDS } from "./verdicts";

interface Props {
  action: FormAction<{ status: EventVerdict | "duplicate" }>;
  appId: string;
  connectionId: string;
  provider: string;
  /** Whether the made-up event can carry the proof that a real one has. */
  provable: boolean;
}

const KINDS: { value: TestKind; name: string }[] = [
  { value: "purchase", name: "A purchase" },
  { value: "refund", name: "A refund" },
  { value: "hello", name: "A test that changes nothing" },
];

/** Sends an event through the connection's own door, in a sandbox. */
export function TestEvent({ action, appId, connectionId, provider, provable }: Props) {
  const proof = provable ? "its proof" : `no signature, which only ${provider} can make`;
  const { state, pending, props } = useForm(action);
  const status = state.ok?.result.status;
  const words = status && status !== "duplicate" ? VERDICT_WORDS[status] : undefined;
  return (
    <Section
      title="Send a test event"
      hint={`Made up as ${provider} would send it, and taken by the same way: ${proof}, the inbox, the referral.`}
    >
      <form {...props} className="grid gap-4">
        <input type="hidden" name="appId" value={appId} />
        <input type="hidden" name="connectionId" value={connectionId} />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label="What happens" name="kind" choices={KINDS} />
          <Field
            label="User id"
            name="uid"
            required
            autoComplete="off"
            placeholder="The referee_uid of a redemption"
            state={state}
          />
        </div>
        <FormError state={state} fields={["uid"]} />
        <div className="flex flex-wrap items-center gap-3">
          <Button type="submit" variant="secondary" pending={pending}>
            Send it
          </Button>
          <p role="status" className="text-sm text-muted">
            {words && !pending ? `${words.name}. ${words.why}` : ""}
          </p>
        </div>
      </form>
    </Section>
  );
}
