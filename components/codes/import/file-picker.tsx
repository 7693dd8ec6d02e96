"use client";

import { FileUp } from "lucide-react";
import { type ChangeEvent, useEffect, useId, useState } from "react";
import type { CodeFile } from "./use-import";

interface Props {
  onPick: (file: CodeFile) => void;
  disabled: boolean;
}

/** Accepts a file dropped anywhere on the page, or chosen with the browser's own control, which works by keyboard. */
export function FilePicker({ onPick, disabled }: Props) {
  const id = useId();
  const over = useDrop((file) => onPick({ blob: file, name: file.name }));
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [picked] = target.files ?? [];
    if (picked) onPick({ blob: picked, name: picked.name });
    // Lets the user choose the same file again after it has changed.
    target.value = "";
  };
  return (
    <label
      htmlFor={id}
      className={`grid cursor-pointer justify-items-center gap-2 rounded-xl border border-dashed px-6 py-16 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent max-sm:py-12 ${over ? "border-accent bg-accent-soft" : "border-line-strong/60 bg-surface hover:bg-subtle/60"}`}
    >
      <input
        id={id}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
        onChange={onChange}
        disabled={disabled}
        className="sr-only"
      />
      <span className="grid size-10 place-items-center rounded-full bg-subtle">
        <FileUp className="size-5 text-muted" aria-hidden />
      </span>
      <span className="text-sm font-medium">
        {over ? (
          "Drop the file to check it"
        ) : (
          <>
            <span className="max-sm:hidden">Drop a file anywhere on this page, or </span>
            <span className="text-accent underline underline-offset-2 max-sm:text-base">choose a file</span>
          </>
        )}
      </span>
      <span className="max-w-prose text-note text-muted">
        CSV or text as App Store Connect or Play Console exports it, up to 128 MB. It is checked at once;
        nothing is stored until you import it.
      </span>
    </label>
  );
}

const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

/** Takes files dropped anywhere on the page; returns whether one is being dragged over it. */
function useDrop(onFile: (file: File) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      setOver(true);
    };
    // Leaving an element for one inside it names that element; only leaving the window names none.
    const onDragLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const onDrop = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      setOver(false);
      const [file] = event.dataTransfer?.files ?? [];
      if (file) onFile(file);
    };
    const listeners = { dragover: onDragOver, dragleave: onDragLeave, drop: onDrop };
    for (const [name, listener] of Object.entries(listeners)) {
      window.addEventListener(name, listener as EventListener);
    }
    return () => {
      for (const [name, listener] of Object.entries(listeners)) {
        window.removeEventListener(name, listener as EventListener);
      }
    };
  }, [onFile]);
  return over;
}
