"use client";

import { SEEN_FIELD } from "@/lib/contract/form-state";

/** The forms on the page, each with its values before the reader touched it. */
const forms = new Map<HTMLFormElement, string>();

/** Fields that are no input: the values at the opening, and the name typed to confirm a deletion. */
const NO_INPUT = [SEEN_FIELD, "confirm"];

/** The input of a form as one text. */
export function inputOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter(([name]) => !NO_INPUT.includes(name));
  return JSON.stringify(
    fields.map(([name, value]) => [name, typeof value === "string" ? value : value.name]),
  );
}

/** Remembers the input of a form from its first use on, because scripts may fill fields after it appears. */
export function trackInput(form: HTMLFormElement): () => void {
  const remember = () => {
    if (!forms.has(form)) forms.set(form, inputOf(form));
  };
  const events = ["focusin", "pointerdown", "beforeinput"];
  for (const event of events) form.addEventListener(event, remember, { capture: true });
  return () => {
    forms.delete(form);
    for (const event of events) form.removeEventListener(event, remember, { capture: true });
  };
}

/** Takes the input that was sent as saved. */
export function markSaved(form: HTMLFormElement | null, sent: string): void {
  if (form && forms.has(form)) forms.set(form, sent);
}

/** Drops what the reader has typed on the page, before it is loaded again. */
export const forgetInput = () => forms.clear();

/** Whether a form within the element, or on the whole page, has input that is not saved. */
export function hasUnsaved(within: Node = document): boolean {
  return [...forms].some(([form, saved]) => within.contains(form) && inputOf(form) !== saved);
}

type Question = (leave: () => void) => void;
let question: Question | undefined;

/** Sets how the page asks before it drops unsaved input. */
export function setLeaveQuestion(ask: Question | undefined): void {
  question = ask;
}

/** Runs `leave` at once, or after the reader has agreed to drop the unsaved input within the element. */
export function askBefore(leave: () => void, within?: Node): void {
  if (question && hasUnsaved(within)) question(leave);
  else leave();
}
