"use client";

import { type ReactNode, useEffect, useRef } from "react";
import type { Choice } from "./field";

interface CardChoice extends Choice {
  hint?: ReactNode;
  /** A picture in place of the circle, hidden on a narrow phone to make room for names of one word. */
  mark?: ReactNode;
  disabled?: boolean;
}

interface Props {
  legend: ReactNode;
  name: string;
  value: string;
  choices: readonly CardChoice[];
  onChange?: (value: string) => void;
  /** Side by side where there is room, in two columns or in three. */
  wide?: boolean | "always" | "three";
}

/** Radio buttons as cards, each with an explanation. */
export function ChoiceCards({ legend, name, value, choices, onChange, wide = false }: Props) {
  const fieldset = useRef<HTMLFieldSetElement>(null);
  // A choice made before the scripts loaded has fired no event.
  useEffect(() => {
    const checked = fieldset.current?.querySelector<HTMLInputElement>("input:checked")?.value;
    if (checked !== undefined && checked !== value) onChange?.(checked);
  }, [value, onChange]);
  const columns = wide === "always" ? "grid-cols-2" : wide === "three" ? "sm:grid-cols-3" : "sm:grid-cols-2";
  return (
    <fieldset ref={fieldset} className="grid gap-1.5">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className={`grid gap-2.5 ${wide ? columns : ""}`}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="relative flex cursor-pointer gap-3 rounded-lg border border-line p-3.5 text-sm has-[.sr-only]:gap-2.5 has-[.sr-only]:p-2.5 has-checked:border-ink has-disabled:cursor-default has-disabled:text-muted has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              defaultChecked={choice.value === value}
              disabled={choice.disabled}
              onChange={() => onChange?.(choice.value)}
              className={choice.mark ? "sr-only" : "mt-0.5 size-4 accent-ink outline-none"}
            />
            {choice.mark && <span className="max-[380px]:hidden">{choice.mark}</span>}
            <span className={`grid gap-0.5 ${choice.mark ? "content-center" : "content-start"}`}>
              <span className="font-medium">{choice.name}</span>
              {choice.hint && <span className="text-note text-muted">{choice.hint}</span>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
