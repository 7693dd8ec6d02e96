"use client";

import { Button } from "@/components/ui/button";
import { Field, FormError, HiddenFields, SelectField } from "@/components/ui/field";
import { Section } from "@/components/ui/section";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { EventVerdict, SampleKind } from "@/lib/contract/provider";
import { VERDICT_LABELS } from "./labels";

interface Props {
  action: FormAction<{ status: EventVerdict | "duplicate" }>;
  appId: string;
  connectionId: string;
  provider: string;
  /** Whether the test event can carry the proof of a real one. */
  provable: boolean;
}

const KINDS: { value: SampleKind; name: string }[] = [
  { value: "purchase", name: "Purchase" },
  { value: "refund", name: "Refund" },
  { value: "hello", name: "Test that changes nothing" },
];

/** Sends a test event along the path of a real one, in a sandbox. */
export function SendSample({ action, appId, connectionId, provider, provable }: Props) {
  const proof = provable ? "with its proof" : `without the signature, which only ${provider} can make`;
  const hint = `A sample in the format of ${provider}, ${proof}, handled like a real event.`;
  const { state, pending, props } = useForm(action, undefined, { stores: false });
  const status = state.ok?.result.status;
  const outcome = status && status !== "duplicate" ? VERDICT_LABELS[status] : undefined;
  return (
    <Section title="Send a test event" hint={hint}>
      <form {...props} className="grid gap-4">
        <HiddenFields values={{ appId, connectionId }} />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label="Event" name="kind" choices={KINDS} />
          <Field
            label="User ID"
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
            Send test event
          </Button>
          <p role="status" className="text-sm text-muted">
            {outcome && !pending ? `${outcome.label}. ${outcome.why}` : ""}
          </p>
        </div>
      </form>
    </Section>
  );
}
