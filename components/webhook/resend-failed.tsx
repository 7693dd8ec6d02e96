"use client";

import { DialogButton } from "@/components/ui/dialog-button";
import { FormError, HiddenFields, SelectField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { formatCount } from "@/lib/contract/format";
import type { ResendSince } from "@/lib/contract/webhook-events";

type Resent = { resent: number; more: boolean };

interface Props {
  action: FormAction<Resent>;
  hidden: Record<string, string>;
}

const SINCE: { value: ResendSince; name: string }[] = [
  { value: "1h", name: "The last hour" },
  { value: "24h", name: "The last 24 hours" },
  { value: "7d", name: "The last 7 days" },
  { value: "30d", name: "The last 30 days" },
];

function resultText({ resent, more }: Resent): string {
  if (resent === 0) return "No failed deliveries";
  const sent = `${formatCount(resent, "delivery is", "deliveries are")} being resent`;
  return more ? `${sent}. There are more: resend again` : sent;
}

/** The button that resends every failed delivery of a period. */
export function ResendFailed({ action, hidden }: Props) {
  return (
    <DialogButton
      label="Resend failed…"
      look={{ variant: "secondary", size: "sm" }}
      title="Resend failed deliveries"
      description="Deliveries that were given up or are waiting for another attempt, oldest first, 500 at a time. Your server recognises repeated events by their webhook-id."
    >
      {(close) => <ResendForm action={action} hidden={hidden} close={close} />}
    </DialogButton>
  );
}

/** The period to resend; the longest by default, because a delivery that was given up is older than 27 hours. */
export function ResendForm({ action, hidden, close }: Props & { close: () => void }) {
  const { state, pending, props } = useForm(action, (result) => {
    close();
    toast(resultText(result));
  });
  return (
    <form {...props} className="grid gap-5">
      <HiddenFields values={hidden} />
      <SelectField label="Period" name="since" defaultValue="30d" choices={SINCE} />
      <FormError state={state} fields={["since"]} />
      <FormActions submit="Resend" pending={pending} onCancel={close} />
    </form>
  );
}
