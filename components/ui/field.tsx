"use client";

import { type ComponentProps, createContext, type ReactNode, useContext, useId } from "react";
import { type FormState, SEEN_FIELD } from "@/lib/contract/form-state";
import { ConflictChoice } from "./conflict";

const LOOK =
  "w-full rounded-md border border-line-strong/60 bg-surface text-sm text-ink shadow-xs " +
  "placeholder:text-muted hover:border-line-strong disabled:border-line disabled:bg-subtle disabled:text-muted aria-invalid:border-bad pointer-coarse:text-base";

export const inputClass = `${LOOK} h-9 px-3 pointer-coarse:h-11`;

interface Labelled {
  label: string;
  name: string;
  hint?: ReactNode;
  state?: FormState | undefined;
  optional?: boolean | undefined;
}

type Control = { id: string; "aria-invalid"?: true; "aria-describedby"?: string };

/** The state of the surrounding form, for fields without a `state` of their own. */
export const FormErrors = createContext<FormState>({});

/** The error of one field, in the words of a reader. */
export function useFieldError(name: string, state?: FormState | undefined): string | undefined {
  const around = useContext(FormErrors);
  const { error } = state ?? around;
  const message = error?.field === name ? error.message : error?.fields?.[name];
  return message && readable(message, name);
}

/** The error below a group of checkboxes, and the attributes by which each checkbox refers to it. */
export function useGroupError(name: string, state?: FormState | undefined) {
  const id = useId();
  const error = useFieldError(name, state);
  return {
    invalid: error ? ({ "aria-invalid": true, "aria-describedby": id } as const) : {},
    note: error && (
      <p id={id} className="text-note text-bad">
        {error}
      </p>
    ),
  };
}

/** Label, hint and error around the control of one field. */
export function Labelled({
  label,
  name,
  hint,
  state,
  optional,
  children,
}: Labelled & { children: (control: Control) => ReactNode }) {
  const id = useId();
  const error = useFieldError(name, state);
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor={id} className="flex items-baseline justify-between gap-3 text-sm font-medium">
        {label}
        {optional && <span className="text-xs font-normal text-muted">Optional</span>}
      </label>
      {children({
        id,
        ...(error && { "aria-invalid": true }),
        ...((error || hint) && { "aria-describedby": `${id}-note` }),
      })}
      {(error || hint) && (
        <p id={`${id}-note`} className={`text-note ${error ? "text-bad" : "text-muted"}`}>
          {error ?? hint}
        </p>
      )}
    </div>
  );
}

type FieldProps = Omit<ComponentProps<"input">, "id"> & Labelled;

/** A labelled input that shows the error of its own field. */
export function Field({ label, hint, state, optional, ...input }: FieldProps) {
  return (
    <Labelled label={label} hint={hint} state={state} optional={optional} name={input.name}>
      {(control) => <input {...input} {...control} className={inputClass} />}
    </Labelled>
  );
}

type TextareaProps = Omit<ComponentProps<"textarea">, "id"> & Labelled;

/** A labelled text area that shows the error of its own field. */
export function TextareaField({ label, hint, state, optional, ...input }: TextareaProps) {
  return (
    <Labelled label={label} hint={hint} state={state} optional={optional} name={input.name}>
      {(control) => <textarea rows={4} {...input} {...control} className={`${LOOK} px-3 py-2`} />}
    </Labelled>
  );
}

export interface Choice {
  value: string;
  name: string;
}

type SelectProps = Omit<ComponentProps<"select">, "id"> & Labelled & { choices: readonly Choice[] };

/** A labelled select that shows the error of its own field. */
export function SelectField({ label, hint, state, optional, choices, ...input }: SelectProps) {
  return (
    <Labelled label={label} hint={hint} state={state} optional={optional} name={input.name}>
      {(control) => (
        <select {...input} {...control} className={inputClass}>
          {choices.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

type CheckProps = Omit<ComponentProps<"input">, "id" | "type"> & { label: string; hint?: ReactNode };

/** A checkbox with an explanation. */
export function CheckField({ label, hint, ...input }: CheckProps) {
  return (
    <label className="flex gap-3 rounded-lg border border-line p-3.5 text-sm has-checked:border-ink">
      <input {...input} type="checkbox" className="mt-0.5 size-4 accent-ink" />
      <span className="grid min-w-0 gap-0.5 wrap-anywhere">
        <span className="font-medium">{label}</span>
        {hint && <span className="text-note text-muted">{hint}</span>}
      </span>
    </label>
  );
}

/** A message of the API without the field's name at its start, because the form shows it above the input. */
export function readable(message: string, name: string): string {
  const key = name.split(".").at(-1) ?? name;
  const text = message.startsWith(`${key} `) ? `This ${message.slice(key.length + 1)}` : message;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The error of a whole form, or of a field that it does not show. */
export function FormError({ state, fields = [] }: { state: FormState; fields?: readonly string[] }) {
  const { error } = state;
  const shown = error && !(error.field && fields.includes(error.field));
  return (
    <div role="alert" className="empty:hidden">
      {shown && <ErrorNote error={error} text={error.message} />}
    </div>
  );
}

/** The sentence of an error, with the way out of a conflict or an ended session. */
export function ErrorNote({ error, text }: { error: NonNullable<FormState["error"]>; text: string }) {
  return (
    <div className="grid gap-2.5 rounded-md bg-bad-soft px-3 py-2 text-sm text-bad">
      <p>
        {text.replace(/[^.]$/, "$&.")}
        {error.signedOut && <SignInAgain />}
      </p>
      {error.conflict && <ConflictChoice {...error.conflict} />}
    </div>
  );
}

/** The link that follows the sentence about an ended session. */
export const SignInAgain = () => (
  <>
    {" "}
    <a href="/sign-in" target="_blank" rel="noreferrer" className="underline underline-offset-2">
      Sign in in a new tab
    </a>
    , then try again here.
  </>
);

/** The stored values that a form shows, so that saving undoes no change that another tab or user saved meanwhile. */
export function SeenValues({ values }: { values: object }) {
  const text = JSON.stringify(values, (_, value) => value ?? null);
  return <input type="hidden" name={SEEN_FIELD} value={text} />;
}

/** The hidden ids of a form. */
export function HiddenFields({ values }: { values: Record<string, string> }) {
  return Object.entries(values).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} />
  ));
}
