"use client";

import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";
import { CodeField } from "./password-field";

/** The second step of signing in. */
export function CodeForm({ action, next }: { action: FormAction<never>; next: string }) {
  const { state, pending, props } = useForm(action);
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="next" value={next} />
      <CodeField state={state} autoFocus />
      <FormError state={state} fields={["code"]} />
      <Button type="submit" size="lg" pending={pending}>
        Sign in
      </Button>
    </form>
  );
}
