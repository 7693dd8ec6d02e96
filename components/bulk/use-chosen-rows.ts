"use client";

import { useEffect, useState } from "react";
import { BULK_FORM, MOST_ROWS } from "@/lib/contract/bulk";

const checks = () => [
  ...document.querySelectorAll<HTMLInputElement>(`input[name="ids[]"][form="${BULK_FORM}"]`),
];

interface Chosen {
  ids: string[];
  /** Labels by id. */
  labels: Record<string, string>;
  all: boolean;
  /** Whether the page has more rows than can change at once. */
  capped: boolean;
}

function readChosen(): Chosen {
  const boxes = checks();
  const chosen = boxes.filter(({ checked }) => checked);
  return {
    ids: chosen.map(({ value }) => value),
    labels: Object.fromEntries(chosen.map(({ value, dataset }) => [value, dataset.label ?? value])),
    all: boxes.length > 0 && chosen.length >= Math.min(boxes.length, MOST_ROWS),
    capped: boxes.length > MOST_ROWS,
  };
}

/** The rows of the page whose checkbox is set. The checkboxes are part of a list that the server rendered. */
export function useChosenRows() {
  const [chosen, setChosen] = useState<Chosen>({ ids: [], labels: {}, all: false, capped: false });
  useEffect(() => {
    const update = (event: Event) => {
      if (event.target instanceof HTMLInputElement && event.target.form?.id === BULK_FORM)
        setChosen(readChosen());
    };
    document.addEventListener("change", update);
    return () => document.removeEventListener("change", update);
  }, []);
  // Runs after every rendering, because a filter, another page or a refresh may have removed chosen rows.
  useEffect(() => {
    const now = readChosen();
    setChosen((before) => (JSON.stringify(before) === JSON.stringify(now) ? before : now));
  });
  const chooseAll = (checked: boolean) => {
    const boxes = checks();
    for (const [index, box] of boxes.entries()) box.checked = checked && index < MOST_ROWS;
    // A change by script fires no event, but the bar and the checkbox of all rows wait for one.
    boxes[0]?.dispatchEvent(new Event("change", { bubbles: true }));
  };
  /** Clears the choice and moves the focus to its first row, because the focused button of the bar goes away. */
  const clear = () => {
    const boxes = checks();
    (boxes.find(({ checked }) => checked) ?? boxes[0])?.focus({ preventScroll: true });
    chooseAll(false);
  };
  return { chosen, chooseAll, clear };
}
