"use client";

import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<void>;
  appId: string;
  batchId: string;
  offer: string | null;
  /** The store's day, `2027-03-31`. */
  expires: string | undefined;
  /** Whether codes of the batch were given: then its offer stays. */
  given: boolean;
}

/** The button that opens the form for a batch's offer and end. */
export function ChangeBatch(props: Props) {
  return (
    <DialogButton label="Edit" look={{ variant: "secondary" }} title="Edit this batch">
      {(close) => <ChangeForm {...props} onClose={close} />}
    </DialogButton>
  );
}

function ChangeForm({
  action,
  appId,
  batchId,
  offer,
  expires,
  given,
  onClose,
}: Props & { onClose: () => void }) {
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast("The batch was changed");
  });
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="appId" value={appId} />
      <input type="hidden" name="batchId" value={batchId} />
      <Field
        label="Offer"
        name="offer"
        optional
        maxLength={80}
        defaultValue={offer ?? ""}
        readOnly={given}
        autoComplete="off"
        hint={
          given
            ? "It stays, because codes of this batch were given: it decides who may have another one."
            : "The store's name of the offer. One person never gets two codes of the same offer."
        }
        state={state}
      />
      <ExpiresField defaultValue={expires} state={state} />
      <FormError state={state} fields={["offer", "expiresAt"]} />
      <FormActions submit="Save" pending={pending} onCancel={onClose} />
    </form>
  );
}

type ExpiresProps = Pick<Parameters<typeof Field>[0], "defaultValue" | "value" | "onChange" | "state">;

/** The day on which the codes end, as the store shows it. */
export function ExpiresField(props: ExpiresProps) {
  return (
    <Field
      {...props}
      label="Expires on"
      name="expiresAt"
      type="date"
      optional
      hint="The store's day. Codes end at midnight in California at its beginning."
    />
  );
}
