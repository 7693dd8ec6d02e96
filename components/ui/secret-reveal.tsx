"use client";

import { createContext, type ReactNode, useContext, useState } from "react";
import { Button } from "./button";
import { Callout } from "./callout";
import { CopyButton } from "./copy-button";
import { Dialog, DialogActions } from "./dialog";

interface ShownRow {
  name: string;
  text: string;
  secret?: boolean;
  testId?: string;
}

interface ShownSecret {
  title: string;
  description?: string;
  rows: readonly ShownRow[];
  /** Instructions for the place where the secret goes. */
  steps?: readonly string[];
  warning?: string;
  /** The label of the button that closes the dialog. */
  done?: string;
}

const Reveal = createContext<(shown: ShownSecret) => void>(() => undefined);

/** Returns the function that shows a new secret once. */
export const useSecretReveal = () => useContext(Reveal);

/**
 * Shows a new secret of its children once: the dialog forgets it on closing, and cannot be closed by accident. Wraps the
 * list, because a change may re-render the list.
 */
export function SecretReveal({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<ShownSecret>();
  const close = () => setShown(undefined);
  return (
    <Reveal value={setShown}>
      {children}
      <Dialog
        open={shown !== undefined}
        onClose={close}
        title={shown?.title ?? ""}
        description={shown?.description ?? "Copy what you need before you close this dialog."}
        dismissible={false}
      >
        {shown && <Shown {...shown} onClose={close} />}
      </Dialog>
    </Reveal>
  );
}

function Shown({ rows, steps = [], warning, done, onClose }: ShownSecret & { onClose: () => void }) {
  const holdsSecret = rows.some(({ secret }) => secret);
  const caution = warning ?? (holdsSecret ? "The secret is shown only this once." : undefined);
  return (
    <>
      <dl className="grid grid-cols-1 gap-3">
        {rows.map((row) => (
          <div key={row.name} className="grid grid-cols-1 gap-1.5">
            <dt className={rows.length > 1 ? "text-sm font-medium" : "sr-only"}>{row.name}</dt>
            <dd>
              <CopyLine row={row} />
            </dd>
          </div>
        ))}
      </dl>
      {steps.length > 0 && (
        <ol className="grid list-decimal gap-1.5 pl-5 text-sm text-muted">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
      {caution && <Callout tone="warn">{caution}</Callout>}
      <DialogActions>
        <Button onClick={onClose}>{done ?? (holdsSecret ? "I have stored the secret" : "Done")}</Button>
      </DialogActions>
    </>
  );
}

/** A text that one click copies or selects. */
function CopyLine({ row: { name, text, secret, testId } }: { row: ShownRow }) {
  return (
    <div className="flex items-center gap-2 rounded-lg border border-line bg-subtle py-1.5 pr-1.5 pl-3">
      <code
        data-testid={testId ?? (secret ? "secret" : undefined)}
        className="flex-1 font-mono text-note wrap-anywhere select-all"
      >
        {text}
      </code>
      <CopyButton text={text} label={`Copy: ${name}`} />
    </div>
  );
}
