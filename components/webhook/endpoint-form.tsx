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
      <EventChoices chosen={endpoint?.events ?? DEFAULT_WEBHOOK_EVENTS} />
      <FormError state={state} fields={["url", "description"]} />
      <FormActions submit={submit} pending={pending} onCancel={onCancel} />
    </form>
  );
}

function EventChoices({ chosen }: { chosen: readonly string[] }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">Events</legend>
      <div className="grid max-h-72 gap-0.5 overflow-y-auto rounded-lg border border-line p-2">
        {WEBHOOK_EVENT_NAMES.map((name) => (
          <label key={name} className="flex gap-3 rounded-md p-2 text-sm hover:bg-subtle">
            <input
              type="checkbox"
              name="events[]"
              value={name}
              defaultChecked={chosen.includes(name)}
              className="mt-0.5 size-4 shrink-0 accent-ink"
            />
            <span className="grid gap-0.5">
              <span className="font-mono text-[13px]">{name}</span>
              <span className="text-[13px] text-muted">{WEBHOOK_EVENTS[name]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
