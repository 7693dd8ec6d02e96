"use client";

import { useState, useSyncExternalStore } from "react";
import { inputClass, Labelled } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";

interface Props {
  label: string;
  name: string;
  value: Date | null;
  hint: string;
  state: FormState;
}

const never = () => () => undefined;

/** `2026-12-01T08:00` in the time zone of the browser. */
const localText = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** The time of a field as UTC; as typed if it is none, as with a year of six digits (no `max`), so that it is refused. */
export const sentTime = (text: string): string =>
  Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString();

/** A time chosen in the browser's zone and sent as UTC. The server does not know the zone, so scripts fill the input. */
export function DateTimeField({ label, name, value, hint, state }: Props) {
  const zone = useSyncExternalStore(
    never,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => undefined,
  );
  // A refresh of the page may bring another value, but the input stays.
  const [opened] = useState(value);
  const [sent, setSent] = useState(value?.toISOString() ?? "");
  return (
    <Labelled
      label={label}
      name={name}
      state={state}
      optional
      hint={zone ? `${hint} Time zone: ${zone}.` : hint}
    >
      {(control) => (
        <>
          <input type="hidden" name={name} data-label={label} value={sent} />
          <input
            {...control}
            type="datetime-local"
            data-name={name}
            key={zone}
            max="9999-12-31T23:59"
            defaultValue={zone && opened ? localText(opened) : ""}
            onChange={({ target }) => setSent(sentTime(target.value))}
            className={inputClass}
          />
        </>
      )}
    </Labelled>
  );
}
