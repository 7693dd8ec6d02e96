"use client";

import { DialogButton } from "@/components/ui/dialog-button";
import { FormError, SelectField } from "@/components/ui/field";
import { FormActions } from "@/components/ui/form-actions";
import { HiddenFields } from "@/components/ui/hidden-fields";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import type { ResendSince } from "@/lib/contract/webhook-events";

interface Resent {
  resent: number;
  more: boolean;
}

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

function words({ resent, more }: Resent): string {
  if (resent === 0) return "Nothing had failed";
  const sent = `${resent.toLocaleString("en")} ${resent === 1 ? "delivery is" : "deliveries are"} sent again`;
  return more ? `${sent}. There are more: do it once more` : sent;
}

/** Sends everything again that failed since a moment. */
export function ResendFailed({ action, hidden }: Props) {
  return (
    <DialogButton
      label="Resend all failed…"
      look={{ variant: "secondary", size: "sm" }}
      title="Send failed deliveries again"
      description="Those that were given up or wait for another attempt, oldest first, 500 at a time. Your server may get an event that it has had: it knows it by its webhook-id."
    >
      {(close) => <ResendForm {...{ action, hidden, close }} />}
    </DialogButton>
  );
}

function ResendForm({ action, hidden, close }: Props & { close: () => void }) {
  const { state, pending, props } = useForm(action, (result) => {
    close();
    toast(words(result));
  });
  return (
    <form {...props} className="grid gap-5">
      <HiddenFields values={hidden} />
      <SelectField label="Of which time" name="since" defaultValue="24h" choices={SINCE} />
      <FormError state={state} fields={["since"]} />
      <FormActions submit="Send again" pending={pending} onCancel={close} />
    </form>
  );
}
