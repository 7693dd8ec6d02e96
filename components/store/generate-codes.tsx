"use client";

import { Sparkles } from "lucide-react";
import { useState } from "react";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, SelectField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { HiddenFields } from "@/components/ui/hidden-fields";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import { FEWEST_CODES, MOST_CODES, type StoreOffer } from "@/lib/contract/code-request";
import type { FormAction } from "@/lib/contract/form-state";
import { offerChoices, poolChoices, type StorePool } from "./choices";

interface Props {
  action: FormAction<void>;
  appId: string;
  /** Made by the page: a form that is sent twice asks once. */
  requestId: string;
  offers: readonly StoreOffer[];
  pools: readonly StorePool[];
  /** Days as the store writes them: the usual one, and the last one that is allowed. */
  expires: { usual: string; latest: string };
}

/** The button that opens the form for new codes of an offer. */
export function GenerateCodes(props: Props) {
  return (
    <DialogButton
      label="Generate codes"
      icon={Sparkles}
      title="Generate codes"
      description="Apple makes one-time codes of an offer, and they are imported into the pool within a minute or two."
    >
      {(close) => <Form {...props} onClose={close} />}
    </DialogButton>
  );
}

const FIELDS = ["offer", "poolId", "amount", "expiresOn"];

function Form({
  action,
  appId,
  requestId,
  offers,
  pools,
  expires,
  onClose,
}: Props & { onClose: () => void }) {
  const [first] = useState(requestId);
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast("The codes were asked for");
  });
  return (
    <form {...props} className="grid gap-4">
      <HiddenFields values={{ appId, requestId: first }} />
      <SelectField label="Offer" name="offer" required choices={offerChoices(offers)} state={state} />
      <SelectField label="Pool" name="poolId" required choices={poolChoices(pools)} state={state} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Codes"
          name="amount"
          inputMode="numeric"
          required
          defaultValue="1000"
          hint={`${FEWEST_CODES} to ${MOST_CODES.toLocaleString("en")}`}
          state={state}
        />
        <Field
          label="Expires on"
          name="expiresOn"
          type="date"
          required
          defaultValue={expires.usual}
          max={expires.latest}
          hint="Ends as that day begins in California"
          state={state}
        />
      </div>
      <FormError state={state} fields={FIELDS} />
      <FormActions submit="Generate" pending={pending} onCancel={onClose} />
    </form>
  );
}
