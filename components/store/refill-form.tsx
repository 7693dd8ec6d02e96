"use client";

import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, SelectField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { HiddenFields } from "@/components/ui/hidden-fields";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import { MOST_DAYS, type RefillView, type StoreOffer } from "@/lib/contract/code-request";
import type { FormAction } from "@/lib/contract/form-state";
import { offerChoices, type StorePool } from "./choices";

interface Props {
  action: FormAction<void>;
  appId: string;
  pool: StorePool;
  offers: readonly StoreOffer[];
  /** Absent for a pool that is filled by hand. */
  rule?: RefillView | undefined;
}

/** The button that opens the form for how a pool fills itself up. */
export function RefillForm(props: Props) {
  const { pool, rule } = props;
  return (
    <DialogButton
      label={rule ? "Edit" : "Refill by itself"}
      ariaLabel={rule ? `Edit the refill of ${pool.name}` : `Refill by itself: ${pool.name}`}
      look={{ variant: "secondary", size: "sm" }}
      title={`Refill ${pool.name}`}
      description="When few codes are left, Apple is asked for more, up to your cap. Never twice for one refill."
    >
      {(close) => <Form {...props} onClose={close} />}
    </DialogButton>
  );
}

const FIELDS = ["offer", "threshold", "amount", "quarterCap", "validDays"];

function Form({ action, appId, pool, offers, rule, onClose }: Props & { onClose: () => void }) {
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast("The refill was saved");
  });
  const number = { inputMode: "numeric", required: true, autoComplete: "off", state } as const;
  return (
    <form {...props} className="grid gap-4">
      <HiddenFields values={{ appId, poolId: pool.id }} />
      <SelectField
        label="Offer"
        name="offer"
        required
        defaultValue={rule?.offer}
        choices={offerChoices(offers)}
        state={state}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          {...number}
          label="When so many are left"
          name="threshold"
          defaultValue={rule?.threshold ?? 200}
          hint="Free codes, or fewer"
        />
        <Field
          {...number}
          label="Ask for"
          name="amount"
          defaultValue={rule?.amount ?? 1_000}
          hint="10 to 10,000 codes"
        />
        <Field
          {...number}
          label="At most in a quarter"
          name="quarterCap"
          defaultValue={rule?.quarterCap ?? 10_000}
          hint="Your cap for this pool"
        />
        <Field
          {...number}
          label="Days valid"
          name="validDays"
          defaultValue={rule?.validDays ?? 90}
          hint={`7 to ${MOST_DAYS}`}
        />
      </div>
      <FormError state={state} fields={FIELDS} />
      <FormActions submit="Save and switch on" pending={pending} onCancel={onClose} />
    </form>
  );
}
