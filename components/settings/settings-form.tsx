"use client";

import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { FormError, SeenValues } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { useForm } from "@/components/ui/use-form";
import type { FormAction, FormState } from "@/lib/contract/form-state";
import { pick } from "@/lib/contract/pick";

interface Props<Field extends string> {
  action: FormAction<void>;
  appId: string;
  /** The settings of the form, which show their own errors. */
  fields: readonly Field[];
  /** Their stored values. */
  stored: { [Name in Field]?: unknown };
  /** For roles that may only read. */
  readOnly: boolean;
  /** The page that sent the visitor here, and to which they return after saving. */
  back?: string | undefined;
  children: (state: FormState) => ReactNode;
}

/** A form of app settings. Input survives an error, and a toast reports success. */
export function SettingsForm<Field extends string>(form: Props<Field>) {
  const { action, appId, fields, stored, readOnly, back, children } = form;
  const router = useRouter();
  const { state, pending, props } = useForm(action, () => {
    toast("Settings saved");
    if (back) router.push(back);
  });
  return (
    <form {...props}>
      <input type="hidden" name="appId" value={appId} />
      <SeenValues values={pick(stored, fields)} />
      <fieldset disabled={readOnly} className="grid max-w-2xl gap-4">
        {children(state)}
        <FormError state={state} fields={fields} />
        {readOnly ? (
          <p className="text-note text-muted">Only admins can change these settings.</p>
        ) : (
          <div>
            <Button type="submit" pending={pending}>
              Save
            </Button>
          </div>
        )}
      </fieldset>
    </form>
  );
}
