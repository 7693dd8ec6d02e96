"use client";

import { DialogButton } from "@/components/ui/dialog-button";
import { Field, FormError, HiddenFields, SeenValues, SelectField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import {
  MAX_DAYS,
  MAX_LATER_OFFERS,
  offerValue,
  type RefillView,
  refillSettings,
  type StoreOffer,
} from "@/lib/contract/code-request";
import type { FormAction } from "@/lib/contract/form-state";
import type { PoolOption } from "@/lib/contract/pool";
import { offerChoices } from "./choices";

interface Props {
  action: FormAction<void>;
  appId: string;
  pool: PoolOption;
  offers: readonly StoreOffer[];
  /** Absent for a pool without a refill. */
  rule?: RefillView | undefined;
}

/** The button that opens the form for the refill of a pool. */
export function RefillForm(props: Props) {
  const { pool, rule } = props;
  return (
    <DialogButton
      label={rule ? "Edit" : "Set up refill"}
      ariaLabel={rule ? `Edit the refill of ${pool.name}` : `Set up refill of ${pool.name}`}
      look={{ variant: "secondary", size: "sm" }}
      title={`Refill ${pool.name}`}
      description="When few codes are left, we request more from Apple, up to your cap. A refill is never requested twice."
    >
      {(close) => <RefillFields {...props} onClose={close} />}
    </DialogButton>
  );
}

const LATER_OFFERS = "Offers for further codes";

/** Selects for later offers, one more than the rule has. */
function LaterOffers({ offers, rule }: Pick<Props, "offers" | "rule">) {
  const chosen = rule?.laterOffers ?? [];
  const count = Math.min(MAX_LATER_OFFERS, Math.max(3, chosen.length + 1));
  return (
    <details open={chosen.length > 0} data-label={LATER_OFFERS}>
      <summary className="cursor-pointer text-sm font-medium">{LATER_OFFERS}</summary>
      <p className="mt-1 text-note text-muted">
        The App Store limits a user to one code per offer. When a reward waits for an offer that its referrer
        has not had, we request codes of the first one here that fits.
      </p>
      <div className="mt-3 grid gap-3">
        {Array.from({ length: count }, (_, place) => {
          const offer = chosen[place];
          const stored = offer && { value: offerValue(offer), name: offer.name };
          return (
            <SelectField
              // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a field is
              key={place}
              label={`Offer ${place + 2}`}
              name="laterOffers[]"
              defaultValue={stored?.value}
              choices={[{ value: "", name: "None" }, ...offerChoices(offers, stored)]}
            />
          );
        })}
      </div>
    </details>
  );
}

/** The numbers of a refill, with the values of a new one. */
const NUMBERS = [
  { name: "threshold", label: "Refill at", usual: 200, hint: "This many free codes or fewer" },
  { name: "amount", label: "Codes per refill", usual: 1_000, hint: "10 to 10,000 codes" },
  { name: "quarterCap", label: "Maximum per quarter", usual: 10_000, hint: "Your cap for this pool" },
  { name: "validDays", label: "Valid for (days)", usual: 90, hint: `7 to ${MAX_DAYS}` },
] as const;

const FIELDS = ["offer", ...NUMBERS.map(({ name }) => name)];

/** The fields of a refill. */
export function RefillFields({ action, onClose, ...refill }: Props & { onClose: () => void }) {
  const { appId, pool, offers, rule } = refill;
  const { state, pending, props } = useForm(action, () => {
    onClose();
    toast("Refill saved");
  });
  const number = { inputMode: "numeric", required: true, autoComplete: "off", state } as const;
  return (
    <form {...props} className="grid gap-4">
      <HiddenFields values={{ appId, poolId: pool.id }} />
      <SeenValues values={refillSettings(rule)} />
      <input type="hidden" name="enabled" data-label="Refill" value="true" />
      <SelectField
        label="Offer"
        name="offer"
        required
        defaultValue={rule?.offer}
        choices={offerChoices(offers, rule && { value: rule.offer, name: rule.offerName })}
        state={state}
      />
      <LaterOffers offers={offers} rule={rule} />
      <div className="grid gap-4 sm:grid-cols-2">
        {NUMBERS.map(({ name, label, usual, hint }) => (
          <Field
            key={name}
            {...number}
            label={label}
            name={name}
            defaultValue={rule?.[name] ?? usual}
            hint={hint}
          />
        ))}
      </div>
      <FormError state={state} fields={FIELDS} />
      <FormActions submit="Save and enable" pending={pending} onCancel={onClose} />
    </form>
  );
}
