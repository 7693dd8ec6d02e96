"use client";

import { type FormEvent, startTransition, useActionState, useEffect, useRef } from "react";
import type { FormAction, FormState } from "@/lib/contract/form-state";

/**
 * A form over a server action. Without `onDone` it works before the scripts have loaded. It is sent without the reset
 * of `action`, so that input survives an error, and the invalid field gets the focus.
 */
export function useForm<Result>(action: FormAction<Result>, onDone?: (result: Result) => void) {
  // Called here, not in an effect: the refreshed page may no longer contain this form.
  const sendAndReport: FormAction<Result> = async (before, data) => {
    const after = await action(before, data);
    if (after.ok) onDone?.(after.ok.result);
    return after;
  };
  const [state, send, pending] = useActionState<FormState<Result>, FormData>(
    onDone ? sendAndReport : action,
    {},
  );
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (state.error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [state]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (pending) return;
    // Includes the pressed button, which may carry a value.
    const { submitter } = event.nativeEvent as SubmitEvent;
    const data = new FormData(event.currentTarget, submitter);
    startTransition(() => send(data));
  };
  return { state, pending, props: { ref: form, action: send, onSubmit } };
}
