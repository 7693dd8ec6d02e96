"use client";

import { Plus } from "lucide-react";
import { CheckGroup } from "@/components/ui/check-group";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, HiddenFields, SeenValues } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { useSecretReveal } from "@/components/ui/secret-reveal";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { pick } from "@/lib/contract/pick";
import {
  DEFAULT_WEBHOOK_EVENTS,
  type EndpointView,
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from "@/lib/contract/webhook-events";
import { SIGNING_STEPS } from "./signing-steps";

type Subject<Event> = Event extends `${infer Before}.${string}` ? Before : never;

/** The heading of each subject, which is the first part of an event's name. */
const GROUPS: Record<Subject<WebhookEvent>, string> = {
  referrer: "Referrers and referrals",
  referral: "Referrers and referrals",
  reward: "Rewards",
  pool: "Pools and campaigns",
  campaign: "Pools and campaigns",
  quota: "Workspace and tests",
  webhook: "Workspace and tests",
};

const CHOICES = WEBHOOK_EVENT_NAMES.map((event) => ({
  value: event,
  name: <span className="font-mono text-note">{event}</span>,
  hint: WEBHOOK_EVENTS[event],
  group: GROUPS[event.split(".")[0] as keyof typeof GROUPS],
}));

interface CreateProps {
  action: FormAction<{ id: string; secret: string }>;
  appId: string;
}

/** The button that opens the form for a new endpoint. */
export function CreateEndpoint({ action, appId }: CreateProps) {
  const reveal = useSecretReveal();
  return (
    <DialogButton
      label="Add endpoint"
      icon={Plus}
      title="Add an endpoint"
      byAddress
      wide
      description="The address that receives this app’s events."
    >
      {(close) => (
        <EndpointForm
          action={action}
          hidden={{ appId }}
          submit="Add endpoint"
          onCancel={close}
          onDone={({ secret }) => {
            close();
            reveal({
              title: "Signing secret of the endpoint",
              rows: [{ name: "Signing secret", text: secret, secret: true }],
              steps: SIGNING_STEPS,
            });
          }}
        />
      )}
    </DialogButton>
  );
}

interface FormProps<Result> {
  action: FormAction<Result>;
  hidden: Record<string, string>;
  /** Its current settings; absent for a new endpoint. */
  endpoint?: EndpointView;
  submit: string;
  onDone: (result: Result) => void;
  onCancel: () => void;
}

/** Address, description and events of an endpoint. */
export function EndpointForm<Result>(form: FormProps<Result>) {
  const { action, hidden, endpoint, submit, onDone, onCancel } = form;
  const { state, pending, props } = useForm(action, onDone);
  return (
    <form {...props} className="grid gap-5">
      <HiddenFields values={hidden} />
      {endpoint && <SeenValues values={pick(endpoint, ["url", "description", "events"])} />}
      <div className="grid gap-5 sm:grid-cols-[2fr_1fr]">
        <Field
          label="Address"
          name="url"
          type="url"
          required
          placeholder="https://api.example.com/hooks/metacode"
          defaultValue={endpoint?.url}
          autoComplete="off"
          state={state}
        />
        <Field
          label="Description"
          name="description"
          optional
          maxLength={200}
          placeholder="CRM"
          defaultValue={endpoint?.description ?? ""}
          autoComplete="off"
          state={state}
        />
      </div>
      <CheckGroup
        legend="Events"
        name="events"
        choices={CHOICES}
        chosen={endpoint?.events ?? DEFAULT_WEBHOOK_EVENTS}
        state={state}
      />
      <FormError state={state} fields={["url", "description", "events"]} />
      <FormActions submit={submit} pending={pending} onCancel={onCancel} />
    </form>
  );
}
