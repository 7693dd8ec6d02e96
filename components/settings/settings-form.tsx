"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction, FormState } from "@/lib/contract/form-state";

interface Props {
  action: FormAction<void>;
  appId: string;
  /** The fields that show their own errors. */
  fields: readonly string[];
  /** For roles that may only read. */
  readOnly: boolean;
  children: (state: FormState) => ReactNode;
}

/** A form of app settings. Input survives an error, and a toast reports success. */
export function SettingsForm({ action, appId, fields, readOnly, children }: Props) {
  const { state, pending, props } = useForm(action, () => toast("Settings saved"));
  return (
    <form {...props}>
      <input type="hidden" name="appId" value={appId} />
      <fieldset disabled={readOnly} className="grid gap-4">
        {children(state)}
        <FormError state={state} fields={fields} />
        {readOnly ? (
          <p className="text-[13px] text-muted">Only admins can change these settings.</p>
        ) : (
          <div className="flex justify-end">
            <Button type="submit" pending={pending}>
              Save
            </Button>
          </div>
        )}
      </fieldset>
    </form>
  );
}
