"use client";

import { type ChangeEvent, useState, useSyncExternalStore } from "react";
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
function localText(at: Date): string {
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/** A time chosen in the browser's zone and sent as UTC. The server does not know the zone, so scripts fill the input. */
export function DateTimeField({ label, name, value, hint, state }: Props) {
  const zone = useSyncExternalStore(
    never,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => undefined,
  );
  const [chosen, setChosen] = useState<Date | null>(value);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const at = new Date(target.value);
    setChosen(Number.isNaN(at.getTime()) ? null : at);
  };
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
          <input type="hidden" name={name} data-label={label} value={chosen?.toISOString() ?? ""} />
          <input
            {...control}
            type="datetime-local"
            data-name={name}
            key={zone}
            defaultValue={zone && chosen ? localText(chosen) : ""}
            onChange={onChange}
            className={inputClass}
          />
        </>
      )}
    </Labelled>
  );
}
