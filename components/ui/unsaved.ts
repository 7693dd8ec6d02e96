"use client";

import { SEEN_FIELD } from "@/lib/contract/form-state";
import { isReachable } from "./catch-failure";
import { toast } from "./toast";

/** The forms on the page, each with its values before the reader touched it. */
const forms = new Map<HTMLFormElement, string>();

/** Fields that do not count as input: the values at the opening, and the name typed to confirm a deletion. */
const NO_INPUT = [SEEN_FIELD, "confirm"];

/** The input of a form as one text. */
export function inputOf(form: HTMLFormElement): string {
  const fields = [...new FormData(form)].filter(([name]) => !NO_INPUT.includes(name));
  return JSON.stringify(
    fields.map(([name, value]) => [name, typeof value === "string" ? value : value.name]),
  );
}

/** Records the input of a form at its first use, because scripts may fill fields after it appears. */
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

/** Marks the submitted input as saved. */
export function markSaved(form: HTMLFormElement | null, sent: string): void {
  if (form && forms.has(form)) forms.set(form, sent);
}

/** Reasons to ask before leaving, for unsaved work outside forms. */
const held = new Set<string>();

/** Blocks leaving the page without a confirmation, which shows the sentence, until the returned function is called. */
export function blockLeaving(sentence: string): () => void {
  held.add(sentence);
  return () => held.delete(sentence);
}

/** Drops the reader's unsaved input on the page, before the page is loaded again. */
export function forgetInput(): void {
  forms.clear();
  held.clear();
}

/** Whether a form within the element has unsaved input; for the whole page, also other unsaved work. */
export function hasUnsaved(within: Node = document): boolean {
  if (within === document && held.size > 0) return true;
  return [...forms].some(([form, saved]) => within.contains(form) && inputOf(form) !== saved);
}

type Question = (leave: () => void, sentence: string) => void;
let question: Question | undefined;

/** Registers the dialog that asks before unsaved input is dropped. */
export function registerLeaveQuestion(ask: Question | undefined): void {
  question = ask;
}

/** Runs `leave` at once, or after the reader has agreed to drop the unsaved input within the element. */
export function confirmLeaving(leave: () => void, within?: Node): void {
  const [sentence = "What you entered is not saved yet."] = within ? [] : held;
  if (question && hasUnsaved(within)) question(leave, sentence);
  else leave();
}

/** Opens another page, unless offline, where an error page would replace this one. A service on this computer still answers. */
export async function openOnline(open: () => void): Promise<void> {
  if (navigator.onLine || (await isReachable())) open();
  else toast("You are offline. This page stays as it is: try again when you are online.");
}
