"use client";

import { useChosenRows } from "./use-chosen-rows";

/** The checkbox of all rows, at the head of their list. With `text`, its label is visible. */
export function SelectAll({ text = false }: { text?: boolean }) {
  const { chosen, chooseAll } = useChosenRows();
  const some = chosen.ids.length > 0 && !chosen.all;
  return (
    <label
      className={
        text
          ? "flex min-h-9 w-fit items-center gap-3 text-note text-muted pointer-coarse:min-h-11"
          : "-m-2 inline-flex size-9 items-center justify-center pointer-coarse:size-11"
      }
    >
      <input
        type="checkbox"
        ref={(box) => {
          if (box) box.indeterminate = some;
        }}
        checked={chosen.all}
        onChange={(event) => chooseAll(event.target.checked)}
        className="size-4 accent-ink"
      />
      <span className={text ? "" : "sr-only"}>Select all on this page</span>
    </label>
  );
}
