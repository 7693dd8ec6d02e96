"use client";

import { Sparkles } from "lucide-react";
import { useState } from "react";
import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, HiddenFields, SelectField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import { MAX_CODES, MIN_CODES, type StoreOffer } from "@/lib/contract/code-request";
import type { FormAction } from "@/lib/contract/form-state";
import { formatNumber } from "@/lib/contract/format";
import type { PoolOption } from "@/lib/contract/pool";
import { offerChoices, poolSelectChoices } from "./choices";

interface Props {
  action: FormAction<void>;
  appId: string;
  /** Created with the page, so that a form sent twice creates one request. */
  requestId: string;
  offers: readonly StoreOffer[];
  pools: readonly PoolOption[];
  /** Days in the store's format: the default and the last allowed day. */
  expires: { usual: string; latest: string };
}

/** The button that opens the form for new codes of an offer. */
export function GenerateCodes(props: Props) {
  return (
    <DialogButton
      label="Generate codes"
      icon={Sparkles}
      title="Generate codes"
      description="Apple generates one-time codes of an offer. They are imported into the pool within two minutes."
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
    toast("Codes requested");
  });
  return (
    <form {...props} className="grid gap-4">
      <HiddenFields values={{ appId, requestId: first }} />
      <SelectField label="Offer" name="offer" required choices={offerChoices(offers)} state={state} />
      <SelectField label="Pool" name="poolId" required choices={poolSelectChoices(pools)} state={state} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Codes"
          name="amount"
          inputMode="numeric"
          required
          defaultValue="1000"
          hint={`${MIN_CODES} to ${formatNumber(MAX_CODES)}`}
          state={state}
        />
        <Field
          label="Expires on"
          name="expiresOn"
          type="date"
          required
          defaultValue={expires.usual}
          max={expires.latest}
          hint="The codes expire at 00:00 Pacific Time on this day."
          state={state}
        />
      </div>
      <FormError state={state} fields={FIELDS} />
      <FormActions submit="Generate codes" pending={pending} onCancel={onClose} />
    </form>
  );
}
