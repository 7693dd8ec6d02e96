"use client";

import { Field, FormError, SelectField, TextareaField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { PoolView } from "./types";

const PLATFORMS = [
  { value: "ios", name: "iOS (App Store)" },
  { value: "android", name: "Android (Google Play)" },
];
const USES = [
  { value: "referee", name: "Referees: who was invited" },
  { value: "reward", name: "Rewards: who invited" },
];

export type EditedPool = Pick<PoolView, "id" | "name" | "lowStock" | "alertTo">;

interface Props<Result> {
  action: FormAction<Result>;
  appId: string;
  /** Absent for a new one. */
  pool?: EditedPool | undefined;
  onDone: (result: Result) => void;
  onCancel: () => void;
}

/** A pool's name and who hears when it runs low; of a new one also what its codes are. */
export function PoolForm<Result>({ action, appId, pool, onDone, onCancel }: Props<Result>) {
  const { state, pending, props } = useForm(action, onDone);
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="appId" value={appId} />
      {pool && <input type="hidden" name="poolId" value={pool.id} />}
      <Field
        label="Name"
        name="name"
        required
        maxLength={80}
        defaultValue={pool?.name}
        placeholder="One month free, iOS"
        autoComplete="off"
        state={state}
      />
      {!pool && (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField label="Store" name="platform" choices={PLATFORMS} state={state} />
          <SelectField label="Given to" name="use" choices={USES} state={state} />
        </div>
      )}
      <Field
        label="Low stock at"
        name="lowStock"
        inputMode="numeric"
        required
        defaultValue={pool?.lowStock ?? 50}
        hint="Free codes. At this number or below somebody is told by mail."
        state={state}
      />
      <TextareaField
        label="Who is told"
        name="alertTo"
        optional
        rows={2}
        defaultValue={pool?.alertTo.join("\n")}
        placeholder="stock@example.com"
        hint="E-mail addresses, one on each line. Empty: the owners and admins of the workspace."
        state={state}
      />
      <FormError state={state} fields={["name", "platform", "use", "lowStock", "alertTo"]} />
      <FormActions submit={pool ? "Save" : "Create pool"} pending={pending} onCancel={onCancel} />
    </form>
  );
}
