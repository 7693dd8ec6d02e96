"use client";

import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, SeenValues } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { formatLongDate } from "@/lib/contract/format";

interface Props {
  action: FormAction<void>;
  appId: string;
  batchId: string;
  offer: string | null;
  /** The day in the store's time zone, `2027-03-31`. */
  expires: string | undefined;
  /** Whether codes of the batch are assigned; the offer is read-only then. */
  assigned: boolean;
  /** Both settings as they are stored. */
  seen: object;
}

/** The button that opens the form for the offer and the expiry of a batch. */
export function EditBatch(props: Props) {
  return (
    <DialogButton label="Edit" look={{ variant: "secondary" }} title="Edit this batch">
      {(close) => <EditForm {...props} onClose={close} />}
    </DialogButton>
  );
}

function EditForm({
  action,
  appId,
  batchId,
  offer,
  expires,
  assigned,
  seen,
  onClose,
}: Props & { onClose: () => void }) {
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast("Batch saved");
  });
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="appId" value={appId} />
      <input type="hidden" name="batchId" value={batchId} />
      <SeenValues values={seen} />
      <Field
        label="Offer"
        name="offer"
        optional
        maxLength={80}
        defaultValue={offer ?? ""}
        readOnly={assigned}
        autoComplete="off"
        hint={
          assigned
            ? "Read-only, because codes of this batch are assigned. The offer decides who may get another code."
            : "Its name in the store. No App Store user gets two codes of the same offer."
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

/** The day on which the codes expire, as the store shows it. */
export function ExpiresField(props: ExpiresProps) {
  // The browser shows 05/12/2027 for a day in May or in December, depending on its language.
  const day = typeof props.value === "string" ? props.value : undefined;
  return (
    <Field
      {...props}
      label="Expires on"
      name="expiresAt"
      type="date"
      optional
      hint={`${day ? `${formatLongDate(new Date(day))}, the` : "The"} date shown in the store. We stop assigning the codes at 00:00 Pacific Time on that day.`}
    />
  );
}
