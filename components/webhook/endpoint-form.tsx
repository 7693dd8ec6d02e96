import { CheckList } from "@/components/ui/check-list";
import { Field, FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { HiddenFields } from "@/components/ui/hidden-fields";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import {
  DEFAULT_WEBHOOK_EVENTS,
  type EndpointView,
  WEBHOOK_EVENT_NAMES,
  WEBHOOK_EVENTS,
} from "@/lib/contract/webhook-events";

const CHOICES = WEBHOOK_EVENT_NAMES.map((event) => ({
  value: event,
  name: <span className="font-mono text-[13px]">{event}</span>,
  hint: WEBHOOK_EVENTS[event],
}));

interface Props<Result> {
  action: FormAction<Result>;
  hidden: Record<string, string>;
  /** What it is now; absent for a new one. */
  endpoint?: EndpointView;
  submit: string;
  onDone: (result: Result) => void;
  onCancel: () => void;
}

/** Where events are sent, and which. */
export function EndpointForm<Result>({ action, hidden, endpoint, submit, onDone, onCancel }: Props<Result>) {
  const { state, pending, props } = useForm(action, onDone);
  return (
    <form {...props} className="grid gap-5">
      <HiddenFields values={hidden} />
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
      <CheckList
        legend="Events"
        name="events"
        choices={CHOICES}
        chosen={endpoint?.events ?? DEFAULT_WEBHOOK_EVENTS}
      />
      <FormError state={state} fields={["url", "description"]} />
      <FormActions submit={submit} pending={pending} onCancel={onCancel} />
    </form>
  );
}
