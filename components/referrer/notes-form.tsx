"use client";

import { Button } from "@/components/ui/button";
import { FormError, TextareaField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<void>;
  appId: string;
  referrerId: string;
  notes: string | null;
}

/** What the team wants to remember about a referrer. */
export function NotesForm({ action, appId, referrerId, notes }: Props) {
  const { state, pending, props } = useForm(action, () => toast("The notes were saved"));
  return (
    <form {...props} className="grid gap-3">
      <input type="hidden" name="appId" value={appId} />
      <input type="hidden" name="referrerId" value={referrerId} />
      <TextareaField
        label="Notes"
        name="notes"
        defaultValue={notes ?? ""}
        maxLength={2_000}
        state={state}
        hint="For your team. Neither the app nor the referrer sees them."
      />
      <FormError state={state} fields={["notes"]} />
      <Button type="submit" variant="secondary" pending={pending} className="w-fit">
        Save notes
      </Button>
    </form>
  );
}
