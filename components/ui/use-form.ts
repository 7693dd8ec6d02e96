"use client";

import { type FormEvent, startTransition, useActionState, useEffect, useRef, useState } from "react";
import { ATTEMPT_FIELD, type FormAction, type FormState, SEEN_FIELD } from "@/lib/contract/form-state";
import { catchFailure } from "./catch-failure";
import { inputOf, markSaved, trackInput } from "./unsaved";

/**
 * A form over a server action. Without `onDone` it works before the scripts have loaded. It is sent without the reset of
 * `action`, so input survives an error, and the invalid field gets the focus. `onDone` returns false if nothing was saved
 * yet. Set `stores` to false for a form that saves nothing, which may be left without a question.
 */
export function useForm<Result>(
  action: FormAction<Result>,
  onDone?: (result: Result) => unknown,
  { stores = true }: { stores?: boolean } = {},
) {
  const form = useRef<HTMLFormElement>(null);
  const sent = useRef("");
  // The stored values at the opening and after each save. A refresh of the page brings newer values but leaves the input.
  const opened = useRef<FormDataEntryValue | null>(null);
  // The conflict whose two versions the reader has seen, for this and the following attempts.
  const agreed = useRef<string>(undefined);
  // Unchanged until a response arrives, because it is how the server recognises a repeated form.
  const attempt = useRef<string>(undefined);
  // Called here, not in an effect: the refreshed page may no longer contain this form.
  const sendAndReport: FormAction<Result> = async (before, data) => {
    const after = await catchFailure(action, attempt)(before, data).catch((redirect: unknown) => {
      // The input is stored, so the browser must not ask about it when it loads the next page as a document.
      markSaved(form.current, sent.current);
      throw redirect;
    });
    const refused = !after.ok && !after.error?.signedOut;
    form.current?.closest("dialog")?.toggleAttribute("data-refused", refused);
    if (after.ok && onDone?.(after.ok.result) !== false) {
      markSaved(form.current, sent.current);
      agreed.current = undefined;
      opened.current = null;
    }
    return after;
  };
  // On the server, the action itself, so that the form has its address for readers without scripts.
  const plain = !onDone && typeof window === "undefined";
  const [state, send, pending] = useActionState<FormState<Result>, FormData>(
    plain ? action : sendAndReport,
    {},
  );
  // The messages of fields that the browser refuses to send, by their names, shown like the server's.
  const [invalid, setInvalid] = useState<Record<string, string>>({});
  const refuse = (controls: readonly FormControl[]) => {
    setInvalid(Object.fromEntries(controls.map((faulty) => [nameOf(faulty), requirement(faulty)])));
    const [first] = controls;
    const fold = first?.closest("details");
    if (fold) fold.open = true;
    first?.focus();
  };
  const onInvalidCapture = (event: FormEvent<HTMLFormElement>) => {
    // Instead of the browser's bubble.
    event.preventDefault();
    const controls = controlsOf(event.currentTarget).filter(({ validity }) => !validity.valid);
    if (event.target === controls[0]) refuse(controls);
  };
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    const name = nameOf(target as FormControl);
    if (!invalid[name] || !(target as FormControl).validity.valid) return;
    const { [name]: _, ...left } = invalid;
    setInvalid(left);
  };
  useEffect(() => {
    if (state.error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);
  useEffect(() => {
    if (!state.error && form.current) opened.current ??= new FormData(form.current).get(SEEN_FIELD);
  }, [state]);
  useEffect(() => (stores && form.current ? trackInput(form.current) : undefined), [stores]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (pending) return;
    // A half-typed date or number has an empty value and would be stored as none, also by a form without validation.
    const unreadable = controlsOf(event.currentTarget).filter(({ validity }) => validity.badInput);
    if (unreadable.length > 0) return refuse(unreadable);
    setInvalid({});
    // Includes the pressed button, which may have a value.
    const submitter = (event.nativeEvent as SubmitEvent).submitter as HTMLButtonElement | null;
    const data = new FormData(event.currentTarget, submitter);
    if (submitter?.name === SEEN_FIELD) agreed.current = submitter.value;
    const seen = agreed.current ?? opened.current;
    if (seen !== null) data.set(SEEN_FIELD, seen);
    attempt.current ??= String(crypto.getRandomValues(new BigUint64Array(2)));
    data.set(ATTEMPT_FIELD, attempt.current);
    sent.current = inputOf(event.currentTarget);
    startTransition(() => send(data));
  };
  const [first] = Object.entries(invalid);
  const shown: FormState<Result> = first
    ? { error: { field: first[0], message: first[1], fields: invalid } }
    : state;
  return { state: shown, pending, props: { ref: form, action: send, onSubmit, onInvalidCapture, onInput } };
}

type FormControl = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const controlsOf = (form: HTMLFormElement) =>
  ([...form.elements] as FormControl[]).filter(({ willValidate }) => willValidate);

/** The field of a control. A control has no `name` if a hidden input is sent in its place. */
const nameOf = ({ name, dataset }: FormControl): string => name || (dataset.name ?? "");

/** The requirement of an invalid control, in the language of the page and not in the browser's. */
export function requirement(control: FormControl): string {
  const { validity, type } = control;
  if (validity.badInput && type.startsWith("date")) {
    const whole = type === "date" ? "Enter a complete date" : "Enter a complete date and time";
    return control.required ? whole : `${whole}, or clear the field`;
  }
  const limits = control as Partial<HTMLInputElement>;
  if (validity.valueMissing) {
    if (type === "checkbox") return "Tick this box";
    if (type === "radio") return "Choose one";
    return `${control.labels?.[0]?.firstChild?.textContent ?? "This field"} is required`;
  }
  if (validity.tooShort) return `Use at least ${limits.minLength} characters`;
  if (validity.rangeUnderflow) return `Enter ${limits.min} or more`;
  if (validity.rangeOverflow) return `Enter ${limits.max} or less`;
  if (validity.badInput || validity.stepMismatch) return "Enter a whole number";
  if (validity.typeMismatch && type === "email") return "Enter an email address, such as anna@example.com";
  if (validity.typeMismatch && type === "url") return "Enter an address that begins with https://";
  return control.title || control.validationMessage;
}
