"use client";

import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { FormAction } from "@/lib/contract/form-state";

interface Offered {
  id: string;
  name: string;
}

interface Props {
  action: FormAction<never>;
  providers: readonly Offered[];
  next: string;
}

/** Signing in elsewhere, one button a service; nothing where none is set up. */
export function ElsewhereButtons({ action, providers, next }: Props) {
  const { state, pending, props } = useForm(action);
  if (providers.length === 0) return null;
  return (
    <div className="grid gap-5">
      <div className="flex items-center gap-3 text-[13px] text-muted">
        <span className="h-px flex-1 bg-line" />
        or
        <span className="h-px flex-1 bg-line" />
      </div>
      <div className="grid gap-2.5">
        {providers.map(({ id, name }) => (
          <form key={id} {...props}>
            <input type="hidden" name="provider" value={id} />
            <input type="hidden" name="next" value={next} />
            <Button type="submit" variant="secondary" size="lg" pending={pending} className="w-full">
              Continue with {name}
            </Button>
          </form>
        ))}
        <FormError state={state} />
      </div>
    </div>
  );
}
