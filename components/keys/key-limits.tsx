"use client";

import { ConfirmButton } from "@/components/ui/confirm";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, HiddenFields, SeenValues } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import { KEY_LIMIT_NAMES, type KeySummary, type LimitInForce } from "@/lib/contract/api-key";
import type { FormAction, FormState } from "@/lib/contract/form-state";
import { formatCount, formatDateTime } from "@/lib/contract/format";

interface Props {
  action: FormAction<void>;
  appId: string;
  apiKey: KeySummary;
}

/** The daily budget of a key, in every form that sets one. */
export function BudgetField({ state, value }: { state: FormState<unknown>; value?: number | null }) {
  return (
    <Field
      label="Daily budget (requests)"
      name="dailyBudget"
      type="number"
      min={1}
      max={100_000_000}
      defaultValue={value ?? ""}
      placeholder={value === undefined ? "Default" : "No budget"}
      hint="Requests above it are refused until 00:00 UTC. By default a key has none; one for a phone app starts with a tenth of the monthly quota, except on Enterprise and in a sandbox."
      optional
      state={state}
    />
  );
}

/** The button that opens the limits of a key. */
export function EditLimits(props: Props) {
  const { name } = props.apiKey;
  return (
    <DialogButton
      label="Limits"
      look={{ variant: "secondary", size: "sm" }}
      ariaLabel={`Limits of ${name}`}
      title={`Limits of “${name}”`}
      description="They limit the damage if a key leaks. A change takes effect within 5 seconds."
    >
      {(close) => <LimitsForm {...props} onClose={close} />}
    </DialogButton>
  );
}

const FIELDS = ["dailyBudget", "addressCap"];

function LimitsForm({ action, appId, apiKey, onClose }: Props & { onClose: () => void }) {
  const { id, name, dailyBudget, addressCap } = apiKey;
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast(`The limits of “${name}” were saved`);
  });
  return (
    <form {...props} className="grid gap-5">
      <HiddenFields values={{ appId, keyId: id }} />
      <SeenValues values={{ dailyBudget, addressCap }} />
      <BudgetField state={state} value={dailyBudget} />
      <Field
        label="Codes per address in 24 hours"
        name="addressCap"
        type="number"
        min={1}
        max={10_000}
        defaultValue={addressCap ?? ""}
        placeholder="No limit"
        hint="For keys in a phone app: the most codes, and the most new referrers, per network address. Leave empty if your own server sends the requests: all its users share one address."
        optional
        state={state}
      />
      <FormError state={state} fields={FIELDS} />
      <FormActions submit="Save limits" pending={pending} onCancel={onClose} />
    </form>
  );
}

interface InForceProps extends Pick<Props, "appId" | "apiKey"> {
  /** Absent for members who may only read. */
  lift: FormAction<void> | undefined;
}

/** The limits that refuse requests of a key now, and the button that lifts them. */
export function LimitsInForce({ appId, apiKey, lift }: InForceProps) {
  const { id, name, limitsInForce } = apiKey;
  return (
    <div className="flex flex-col gap-3 rounded-lg bg-warn-soft px-3.5 py-3 text-note sm:flex-row sm:items-center">
      <div className="grid flex-1 gap-1">
        <p className="font-medium text-warn">Some requests with this key are refused now</p>
        <ul className="grid gap-0.5">
          {limitsInForce.map((found) => (
            <li key={found.limit}>{textOf(found)}</li>
          ))}
        </ul>
      </div>
      {lift && (
        <ConfirmButton
          action={lift}
          hidden={{ appId, keyId: id }}
          label="Lift limits"
          ariaLabel={`Lift the limits of ${name}`}
          look={{ size: "sm" }}
          title={`Lift the limits of “${name}”?`}
          description={
            <>
              <p>
                Requests that are refused now are accepted again within 5 seconds, and every count starts from
                zero.
              </p>
              <p>The limits themselves stay. If this is an attack, rotate or revoke the key instead.</p>
            </>
          }
          submit="Lift limits"
          done={`The limits of “${name}” were lifted`}
        />
      )}
    </div>
  );
}

function textOf({ limit, refused, since, until }: LimitInForce): string {
  const count = `${formatCount(refused, "request")} refused since ${formatDateTime(since)}`;
  return `${KEY_LIMIT_NAMES[limit]}: ${count}, in force until ${formatDateTime(until)}`;
}
