"use client";

import { useEffect, useState } from "react";
import { BULK_FORM } from "./row-check";

const checks = () => [
  ...document.querySelectorAll<HTMLInputElement>(`input[name="ids[]"][form="${BULK_FORM}"]`),
];

interface Chosen {
  ids: string[];
  /** Labels by id. */
  labels: Record<string, string>;
  all: boolean;
}

function readChosen(): Chosen {
  const boxes = checks();
  const chosen = boxes.filter(({ checked }) => checked);
  return {
    ids: chosen.map(({ value }) => value),
    labels: Object.fromEntries(chosen.map(({ value, dataset }) => [value, dataset.label ?? value])),
    all: boxes.length > 0 && chosen.length === boxes.length,
  };
}

/** The rows of the page whose checkbox is set. The checkboxes are part of a list that the server rendered. */
export function useChosenRows() {
  const [chosen, setChosen] = useState<Chosen>({ ids: [], labels: {}, all: false });
  useEffect(() => {
    const update = (event: Event) => {
      if (event.target instanceof HTMLInputElement && event.target.form?.id === BULK_FORM)
        setChosen(readChosen());
    };
    document.addEventListener("change", update);
    return () => document.removeEventListener("change", update);
  }, []);
  const chooseAll = (checked: boolean) => {
    for (const box of checks()) box.checked = checked;
    setChosen(readChosen());
  };
  return { chosen, chooseAll };
}
