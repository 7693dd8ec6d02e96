import { type ComponentProps, type ReactNode, useId } from "react";
import type { FormState } from "@/lib/contract/form-state";

export const inputClass =
  "h-9 w-full rounded-md border border-line-strong/60 bg-surface px-3 text-sm text-ink shadow-xs " +
  "placeholder:text-muted hover:border-line-strong aria-invalid:border-bad pointer-coarse:h-11 " +
  "pointer-coarse:text-base";

type Props = Omit<ComponentProps<"input">, "id"> & {
  label: string;
  name: string;
  hint?: ReactNode;
  state?: FormState;
  optional?: boolean;
};

/** A labelled input that shows the error of its own field. */
export function Field({ label, hint, state, optional, ...input }: Props) {
  const id = useId();
  const error = state?.error?.field === input.name ? state.error.message : undefined;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="flex items-baseline justify-between text-sm font-medium">
        {label}
        {optional && <span className="text-xs font-normal text-muted">Optional</span>}
      </label>
      <input
        {...input}
        id={id}
        className={inputClass}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
      />
      {(error || hint) && (
        <p id={`${id}-note`} className={`text-[13px] ${error ? "text-bad" : "text-muted"}`}>
          {error ? readable(error, input.name) : hint}
        </p>
      )}
    </div>
  );
}

/** The API's messages begin with the field's name, which here stands above the input already. */
function readable(message: string, name: string): string {
  const text = message.startsWith(`${name} `) ? `This ${message.slice(name.length + 1)}` : message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The error of a form as a whole, or of a field that it does not show. */
export function FormError({ state, fields = [] }: { state: FormState; fields?: readonly string[] }) {
  const { error } = state;
  const shown = error && !(error.field && fields.includes(error.field));
  return (
    <div role="alert" className="empty:hidden">
      {shown && <p className="rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">{error.message}</p>}
    </div>
  );
}
