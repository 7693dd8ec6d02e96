"use client";

import { Button } from "@/components/ui/button";
import { FormError } from "@/components/ui/field";
import { useForm } from "@/components/ui/use-form";
import type { EntryProps, FormAction } from "@/lib/contract/form-state";
import { CodeField, EmailField, PasswordField } from "./fields";

/** Email and password. */
export function SignInForm({ action, next, invited }: EntryProps<never>) {
  const { state, pending, props } = useForm(action);
  return (
    <form {...props} className="grid gap-4">
      <input type="hidden" name="next" value={next} />
      <EmailField state={state} invited={invited} />
      <PasswordField state={state} />
      <FormError state={state} fields={["email", "password"]} />
      <Button type="submit" size="lg" pending={pending}>
        Sign in
      </Button>
    </form>
  );
}

/** The second factor of a sign-in. */
export function SignInCodeForm({ action, next }: { action: FormAction<never>; next: string }) {
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

interface OAuthProps {
  action: FormAction<never>;
  providers: readonly { id: string; name: string }[];
  next: string;
}

/** Sign-in through GitHub or Google: a button for each that is configured. */
export function OAuthButtons({ action, providers, next }: OAuthProps) {
  const { state, pending, props } = useForm(action);
  if (providers.length === 0) return null;
  return (
    <div className="grid gap-5">
      <div className="flex items-center gap-3 text-note text-muted">
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
