"use client";

import { type ReactNode, useId, useState } from "react";
import type { FormState } from "@/lib/contract/form-state";
import { useGroupError } from "./field";

interface CheckChoice {
  value: string;
  name: ReactNode;
  hint: string;
  /** The heading above the choices, whose checkbox sets the whole group. */
  group?: string;
}

interface Props {
  legend: string;
  /** The field's name; `[]` is appended, because several values are sent. */
  name: string;
  choices: readonly CheckChoice[];
  chosen: readonly string[];
  state?: FormState;
}

const BOX = "mt-0.5 size-4 shrink-0 accent-ink";

/** Checkboxes, each with an explanation, in two columns where there is room, each group named by its heading. */
export function CheckGroup({ legend, name, choices, chosen, state }: Props) {
  const { invalid, note } = useGroupError(name, state);
  const [checked, setChecked] = useState(chosen);
  const id = useId();
  const check = (values: readonly string[], on: boolean) =>
    setChecked([...checked.filter((value) => !values.includes(value)), ...(on ? values : [])]);
  const groups = [...new Set(choices.map(({ group }) => group))];
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{legend}</legend>
      <div className="@container divide-y divide-line rounded-lg border border-line">
        {groups.map((group, index) => {
          const within = choices.filter((choice) => choice.group === group);
          const heading = `${id}${index}`;
          return (
            <div
              key={group ?? ""}
              className="p-2"
              {...(group && { role: "group", "aria-labelledby": heading })}
            >
              {group && (
                <GroupBox
                  id={heading}
                  name={group}
                  values={within.map(({ value }) => value)}
                  checked={checked}
                  check={check}
                />
              )}
              <div className="grid gap-x-2 gap-y-0.5 @lg:grid-cols-2">
                {within.map((choice) => (
                  <label key={choice.value} className="flex gap-3 rounded-md p-2 text-sm hover:bg-subtle">
                    <input
                      {...invalid}
                      type="checkbox"
                      name={`${name}[]`}
                      value={choice.value}
                      checked={checked.includes(choice.value)}
                      onChange={({ target }) => check([choice.value], target.checked)}
                      className={BOX}
                    />
                    <span className="grid content-start gap-0.5">
                      <span className="font-medium">{choice.name}</span>
                      <span className="text-note text-muted">{choice.hint}</span>
                    </span>
                  </label>
                ))}
              </div>
            </div>
          );
        })}
      </div>
      {note}
    </fieldset>
  );
}

interface GroupProps {
  id: string;
  name: string;
  values: readonly string[];
  checked: readonly string[];
  check: (values: readonly string[], on: boolean) => void;
}

/** The heading of a group, with a checkbox that sets all of its choices or none and is described by their count. */
function GroupBox({ id, name, values, checked, check }: GroupProps) {
  const count = values.filter((value) => checked.includes(value)).length;
  return (
    <div className="flex rounded-md text-sm hover:bg-subtle">
      <label className="flex flex-1 gap-3 p-2 font-semibold">
        <input
          ref={(box) => {
            if (box) box.indeterminate = count > 0 && count < values.length;
          }}
          type="checkbox"
          checked={count === values.length}
          onChange={({ target }) => check(values, target.checked)}
          aria-describedby={`${id}-count`}
          className={BOX}
        />
        <span id={id}>{name}</span>
      </label>
      <span id={`${id}-count`} className="p-2 text-note text-muted tabular-nums">
        {count} of {values.length}
      </span>
    </div>
  );
}
