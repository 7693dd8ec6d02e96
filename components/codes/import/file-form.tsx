"use client";

import { FileUp } from "lucide-react";
import { type ChangeEvent, type FormEvent, useEffect, useId, useState, useSyncExternalStore } from "react";
import type { CodeFile } from "@/components/codes/import/use-import";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { SignInAgain, TextareaField } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";
import type { UploadError } from "./transport";

interface FilePickerProps {
  onPick: (file: CodeFile) => void;
  disabled: boolean;
}

/** Accepts a file chosen with the browser's own control, which works by keyboard. */
function FilePicker({ onPick, disabled }: FilePickerProps) {
  const id = useId();
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [picked] = target.files ?? [];
    if (picked) onPick({ blob: picked, name: picked.name });
    // Lets the user choose the same file again after it has changed.
    target.value = "";
  };
  return (
    <label
      htmlFor={id}
      className="grid cursor-pointer justify-items-center gap-2 rounded-xl border border-dashed border-line-strong/60 bg-surface px-6 py-16 text-center transition-colors hover:bg-subtle/60 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent max-sm:py-12"
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
        <span className="max-sm:hidden">Drop a file anywhere on this page, or </span>
        <span className="inline-block text-accent underline underline-offset-2 max-sm:text-base max-sm:first-letter:uppercase">
          choose a file
        </span>
      </span>
      <span className="max-w-prose text-note text-muted">
        CSV or text as App Store Connect or Play Console exports it, up to 128 MB.
      </span>
    </label>
  );
}

const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

/** Takes the first of the files dropped anywhere on the page; returns whether one is being dragged over it. */
export function useDrop(onFile: (file: File, more: boolean) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      setOver(true);
    };
    // `relatedTarget` is the element that the drag enters next, and null only when it leaves the window.
    const onDragLeave = ({ relatedTarget }: DragEvent) => relatedTarget === null && setOver(false);
    const onDrop = (event: DragEvent) => {
      if (!hasFile(event)) return;
      event.preventDefault();
      setOver(false);
      const [file, ...others] = event.dataTransfer?.files ?? [];
      if (file) onFile(file, others.length > 0);
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

/** The codes pasted so far; they survive a refusal and a lost connection. */
export interface Pasted {
  /** Whether codes are pasted instead of a file chosen. */
  on: boolean;
  text: string;
}

interface Props {
  pasted: Pasted;
  onPasted: (pasted: Pasted) => void;
  /** The file that was refused, and why. */
  refused: (UploadError & { name: string }) | undefined;
  /** Checks the same file again after a lost connection or the end of the session. */
  onRetry: (() => void) | undefined;
  onFile: (file: CodeFile) => void;
}

const never = () => () => undefined;

/** Whether the scripts of the page run already. Before that, a chosen file would be ignored. */
const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** The first step: a file, or pasted codes. Either is checked at once. */
export function FileForm({ pasted, onPasted, refused, onRetry, onFile }: Props) {
  const hydrated = useHydrated();
  const { on: pasting, text } = pasted;
  return (
    <div className="grid gap-3">
      <div role="alert" className="empty:hidden">
        {refused && (
          <Callout tone="bad">
            <p className="font-medium wrap-anywhere">
              {refused.name === PASTED ? "The pasted codes were" : `${refused.name} was`} not imported
            </p>
            <p>
              {refused.message.replace(/[^.]$/, "$&.")}
              {refused.signedOut && <SignInAgain />}
            </p>
            {onRetry && (
              <Button size="sm" variant="secondary" onClick={onRetry} className="mt-1.5 w-fit">
                Try again
              </Button>
            )}
          </Callout>
        )}
      </div>
      {pasting ? (
        <Paste
          text={text}
          onText={(typed) => onPasted({ on: true, text: typed })}
          onPaste={onFile}
          disabled={!hydrated}
        />
      ) : (
        <FilePicker onPick={onFile} disabled={!hydrated} />
      )}
      <button
        type="button"
        onClick={() => onPasted({ on: !pasting, text })}
        className="min-h-6 w-fit rounded-sm text-note text-muted underline hover:text-ink"
      >
        {pasting ? "Choose a file instead" : "Paste codes instead"}
      </button>
    </div>
  );
}

/** The name of pasted codes, which the batch shows as their origin. */
const PASTED = "Pasted";

interface PasteProps {
  text: string;
  onText: (text: string) => void;
  onPaste: (file: CodeFile) => void;
  disabled: boolean;
}

/** Codes as text, which become a file. */
function Paste({ text, onText, onPaste, disabled }: PasteProps) {
  const [state, setState] = useState<FormState>({});
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) onPaste({ blob: new Blob([text]), name: PASTED });
    else setState({ error: { message: "Paste the codes first", field: "codes" } });
  };
  return (
    <form onSubmit={onSubmit} className="grid gap-4">
      <TextareaField
        label="Codes"
        name="codes"
        rows={8}
        spellCheck={false}
        autoComplete="off"
        placeholder={"ABCDEFGHIJKLMNOPQR\nABCD1234EFGH5678JK"}
        hint="One per line, or rows of a table with a header."
        value={text}
        onChange={({ target }) => {
          onText(target.value);
          setState({});
        }}
        state={state}
      />
      <div>
        <Button type="submit" disabled={disabled}>
          Check codes
        </Button>
      </div>
    </form>
  );
}
