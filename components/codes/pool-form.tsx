"use client";

import { Plus } from "lucide-react";
import type { ButtonLook } from "@/components/ui/button";
import { DialogButton } from "@/components/ui/dialog-button";
import { CheckField, Field, FormError, SeenValues, SelectField, TextareaField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { PLATFORM_NAME, PLATFORMS, STORE_NAME } from "@/lib/contract/format";
import type { EditedPool } from "@/lib/contract/pool";

const PLATFORM_CHOICES = PLATFORMS.map((value) => ({
  value,
  name: `${PLATFORM_NAME[value]} (${STORE_NAME[value]})`,
}));
const USES = [
  { value: "referee", name: "Referees" },
  { value: "reward", name: "Rewards" },
];

interface Props<Result> {
  action: FormAction<Result>;
  appId: string;
  /** Absent for a new pool. */
  pool?: EditedPool | undefined;
  onDone: (result: Result) => void;
  onCancel: () => void;
}

/** The settings of a pool; for a new one also its store and use. */
export function PoolForm<Result>({ action, appId, pool, onDone, onCancel }: Props<Result>) {
  const { state, pending, props } = useForm(action, onDone);
  const { id, platform, onePerOffer, ...settings } = pool ?? {};
  const seen = platform === "ios" ? settings : { ...settings, onePerOffer };
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="appId" value={appId} />
      {pool && <input type="hidden" name="poolId" value={id} />}
      {pool && <SeenValues values={seen} />}
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
          <SelectField label="Store" name="platform" choices={PLATFORM_CHOICES} state={state} />
          <SelectField label="Codes for" name="use" choices={USES} state={state} />
        </div>
      )}
      <Field
        label="Low-stock threshold"
        name="lowStock"
        inputMode="numeric"
        required
        defaultValue={pool?.lowStock ?? 50}
        hint="We send an email when this many free codes or fewer are left."
        state={state}
      />
      <TextareaField
        label="Low-stock recipients"
        name="alertTo"
        optional
        rows={2}
        defaultValue={pool?.alertTo.join("\n")}
        placeholder="stock@example.com"
        hint="Email addresses, one per line. Leave empty for the owners and admins of the workspace."
        state={state}
      />
      <TextareaField
        label="Order of offers"
        name="offers"
        optional
        rows={2}
        defaultValue={pool?.offers.join("\n")}
        placeholder={"One month free\nTwo months free"}
        hint="Offers as your batches name them, one per line. Each user gets a code from the first offer that they have not had. Leave empty to use the codes that expire first."
        state={state}
      />
      {platform !== "ios" && (
        <CheckField
          label="One code per offer and user"
          name="onePerOffer"
          defaultChecked={onePerOffer}
          hint="For Google Play. The App Store always limits a user to one code per offer."
        />
      )}
      <FormError state={state} fields={["name", "platform", "use", "lowStock", "alertTo", "offers"]} />
      <FormActions submit={pool ? "Save" : "Create pool"} pending={pending} onCancel={onCancel} />
    </form>
  );
}

export interface CreatePoolProps {
  action: FormAction<{ id: string }>;
  appId: string;
  look?: ButtonLook;
  onCreated?: (id: string) => void;
}

/** The button that opens the form for a new pool. */
export function CreatePool({ action, appId, look = { variant: "secondary" }, onCreated }: CreatePoolProps) {
  return (
    <DialogButton
      label="Create pool"
      icon={Plus}
      look={look}
      title="Create a pool"
      byAddress={!onCreated}
      description="A pool holds codes of one store, for referees or for rewards. Campaigns take codes from it."
    >
      {(close) => {
        const done = ({ id }: { id: string }) => {
          close();
          toast("Pool created");
          onCreated?.(id);
        };
        return <PoolForm action={action} appId={appId} onDone={done} onCancel={close} />;
      }}
    </DialogButton>
  );
}
