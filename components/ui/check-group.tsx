import type { ReactNode } from "react";
import type { FormState } from "@/lib/contract/form-state";
import { useGroupError } from "./field";

interface CheckChoice {
  value: string;
  name: ReactNode;
  hint: string;
}

interface Props {
  legend: string;
  /** The field's name; `[]` is appended, because several values are sent. */
  name: string;
  choices: readonly CheckChoice[];
  chosen: readonly string[];
  state?: FormState;
}

/** Checkboxes, each with an explanation. */
export function CheckGroup({ legend, name, choices, chosen, state }: Props) {
  const { invalid, note } = useGroupError(name, state);
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="grid max-h-72 gap-0.5 overflow-y-auto rounded-lg border border-line p-2">
        {choices.map((choice) => (
          <label key={choice.value} className="flex gap-3 rounded-md p-2 text-sm hover:bg-subtle">
            <input
              {...invalid}
              type="checkbox"
              name={`${name}[]`}
              value={choice.value}
              defaultChecked={chosen.includes(choice.value)}
              className="mt-0.5 size-4 shrink-0 accent-ink"
            />
            <span className="grid gap-0.5">
              <span className="font-medium">{choice.name}</span>
              <span className="text-note text-muted">{choice.hint}</span>
            </span>
          </label>
        ))}
      </div>
      {note}
    </fieldset>
  );
}
