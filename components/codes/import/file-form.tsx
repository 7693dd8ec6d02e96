"use client";

import { type FormEvent, useState, useSyncExternalStore } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { TextareaField } from "@/components/ui/field";
import type { FormState } from "@/lib/contract/form-state";
import { FilePicker } from "./file-picker";
import type { CodeFile } from "./use-import";

interface Props {
  /** The file that was refused, and why. */
  refused: { name: string; message: string } | undefined;
  /** Checks the same file again after a lost connection. */
  onRetry: (() => void) | undefined;
  onFile: (file: CodeFile) => void;
}

const never = () => () => undefined;

/** Whether the scripts of the page run. Before that, a chosen file would go nowhere. */
const useHydrated = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );

/** The first step: a file, or pasted codes. Either is checked at once. */
export function FileForm({ refused, onRetry, onFile }: Props) {
  const hydrated = useHydrated();
  const [pasting, setPasting] = useState(false);
  return (
    <div className="grid gap-3">
      <div role="alert" className="empty:hidden">
        {refused && (
          <Callout tone="bad">
            <p className="font-medium break-words">{refused.name} was not imported</p>
            <p>{refused.message.replace(/[^.]$/, "$&.")}</p>
            {onRetry && (
              <Button size="sm" variant="secondary" onClick={onRetry} className="mt-1.5 w-fit">
                Try again
              </Button>
            )}
          </Callout>
        )}
      </div>
      {pasting ? (
        <Paste onPaste={onFile} disabled={!hydrated} />
      ) : (
        <FilePicker onPick={onFile} disabled={!hydrated} />
      )}
      <button
        type="button"
        onClick={() => setPasting(!pasting)}
        className="min-h-6 w-fit rounded-sm text-note text-muted underline hover:text-ink"
      >
        {pasting ? "Choose a file instead" : "Paste codes instead"}
      </button>
    </div>
  );
}

/** Codes as text, which become a file without a name. */
function Paste({ onPaste, disabled }: { onPaste: (file: CodeFile) => void; disabled: boolean }) {
  const [text, setText] = useState("");
  const [state, setState] = useState<FormState>({});
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) onPaste({ blob: new Blob([text]), name: "Pasted" });
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
          setText(target.value);
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
